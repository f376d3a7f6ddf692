/** `baton send`, `interrupt` and `retry`: a person's word to one node of a run. */

import type { Json } from "../../base/json.ts";
import { Refusal } from "../../base/refusal.ts";
import { messageInbox } from "../../dialects/inbox/commands.ts";
import type { InboxDefinition } from "../../dialects/inbox/definition.ts";
import type { Command } from "../../kernel/command.ts";
import type { RunState } from "../../kernel/state.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import type { RunHead } from "../../run/journal.ts";
import { loadState } from "../../run/load.ts";
import { isAuthored } from "../../views/inbox-story.ts";
import { Misuse } from "../misuse.ts";
import { dialectOf } from "../runs/dialects.ts";
import { driveFrom, tellAndGoOn } from "../runs/foreground.ts";
import { recordCommand } from "../runs/recorded.ts";
import { reopenRun } from "../runs/reopen.ts";
import { latestDefinition } from "../runs/request.ts";
import { readResult } from "../runs/result.ts";
import { refuseUnknownNode } from "../runs/starts/inbox.ts";
import { findRun, type Store, withStore } from "../runs/store.ts";
import { wantsNews } from "../terminal/next-call.ts";
import { printResult, tellRecorded } from "../terminal/outcome.ts";
import type { Call } from "../verb.ts";

/** Puts a message into the inbox of a node, and goes on. */
export async function send(call: Call): Promise<ExitCode> {
  const { args, options } = call;
  const [id = "", node = "", ...words] = args;
  return withStore(options.db, { create: false }, async (store) => {
    const head = await findRun(store.journal, id);
    const definition = await inboxOf(head, store);
    refuseUnknownNode(node, Object.keys(definition.nodes));
    const { status } = (await loadState(store.journal, head.run)).state;
    const command = messageInbox(definition, { node, text: words.join(" ") }, status);
    return tell(call, { store, head, command, lifts: wantsNews });
  });
}

/** Ends the turn that a node has in hand. Whoever drives the run stops it; the command itself succeeds at once. */
export async function interrupt({ args, options, terminal }: Call): Promise<ExitCode> {
  const [id = "", node = ""] = args;
  return withStore(options.db, { create: false }, async ({ journal }) => {
    const { run } = await findRun(journal, id);
    const { reason } = options;
    await recordCommand(journal, run, { type: "interrupt", node, ...(reason !== undefined && { reason }) });
    printResult((await readResult(journal, run)).result, terminal, options);
    return EXIT.done;
  });
}

/** Tries the failed work of a node again; without a node, of the only one that failed. */
export async function retry(call: Call): Promise<ExitCode> {
  const { args, options, terminal } = call;
  const [id = "", named] = args;
  return withStore(options.db, { create: false }, async (store) => {
    const head = await findRun(store.journal, id);
    const { state } = await loadState(store.journal, head.run);
    const node = failedNode(state, named);
    if (state.plan.onFailure === "hold") {
      return tell(call, { store, head, command: { type: "retry", node }, lifts: () => false });
    }
    // Where a failure stops the whole run, resuming it is what tries again.
    const program = await reopenRun(head, store, call);
    const { resumeWrites } = await dialectOf(head.program);
    return driveFrom({ program, run: head.run, store, options, terminal }, (handle) =>
      handle.send({ type: "resume", writes: resumeWrites() }),
    );
  });
}

interface Telling {
  readonly store: Store;
  readonly head: RunHead;
  readonly command: Command;
  /** The pauses that the command ends, by their reason. */
  readonly lifts: (reason: string | undefined) => boolean;
}

async function tell(call: Call, { store, head, command, lifts }: Telling): Promise<ExitCode> {
  const { options, terminal } = call;
  const { run } = head;
  if (options.detach) {
    await recordCommand(store.journal, run, command);
    return tellRecorded(store, run, call);
  }
  const program = await reopenRun(head, store, call);
  return tellAndGoOn({ program, run, store, options, terminal }, command, lifts);
}

/** The graph of a run as it is now. Throws a `Misuse` when it is no inbox graph. */
export async function inboxOf({ run, program }: RunHead, { journal }: Store): Promise<InboxDefinition> {
  if (program.dialect !== "inbox") {
    const message = `Run ${run} is no inbox graph, so none of its nodes reads messages.`;
    throw new Misuse("usage", message, { hint: "Questions are answered with `baton answer`." });
  }
  const definition: Json | undefined = await latestDefinition(journal, run);
  return definition as unknown as InboxDefinition; // reading made it complete before the log kept it
}

/** The failed node that is named, or the only one. Throws a `Refusal` when there is none or there are several. */
export function failedNode(state: RunState, named: string | undefined): string {
  if (named !== undefined && !Object.hasOwn(state.plan.nodes, named)) {
    refuseUnknownNode(named, Object.keys(state.plan.nodes).filter(isAuthored));
  }
  const failed = [...state.tasks.values()].filter(({ phase }) => phase === "failed").map(({ node }) => node);
  const nodes = [...new Set(failed)].filter((node) => named === undefined || node === named);
  if (nodes.length === 1 && nodes[0] !== undefined) return nodes[0];
  if (nodes.length > 1) {
    throw new Refusal(
      "wrong_state",
      `${nodes.length} nodes have failed; say which one: ${nodes.join(", ")}.`,
    );
  }
  const who = named === undefined ? `No node of run ${state.run} has` : `${named} has not`;
  throw new Refusal("wrong_state", `${who} failed, so there is nothing to retry.`);
}
