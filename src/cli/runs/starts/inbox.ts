/** How an inbox graph is started from the command line. */

import type { JsonObject } from "../../../base/json.ts";
import { closest } from "../../../base/names.ts";
import { Refusal } from "../../../base/refusal.ts";
import { type Message, startInbox } from "../../../dialects/inbox/commands.ts";
import type { InboxDefinition } from "../../../dialects/inbox/definition.ts";
import type { ExitCode } from "../../../protocol/codes.ts";
import { agentsOf } from "../../agents/agents.ts";
import { remarksFor } from "../../agents/remarks.ts";
import { Misuse } from "../../misuse.ts";
import { definitionOf, inboxEngine, inboxRuns, powersOf, wantedBy } from "../inbox-runs.ts";
import type { InboxSource } from "../source.ts";
import { beginPrepared, type Prepared, requestOf, type Start } from "../start.ts";

/** Starts a run of an inbox graph that is fit to run, with at least one message to begin with. */
export async function beginInbox(source: InboxSource, start: Start): Promise<ExitCode> {
  return beginPrepared(await prepareInbox(source, start), start);
}

/** Finds a start good: the graph is fit to run, somebody is written to, and there is somebody for every turn. */
export async function prepareInbox(source: InboxSource, start: Start): Promise<Prepared> {
  const { run, cwd, cast, budget, call } = start;
  const { options, terminal } = call;
  const { definition, warnings } = definitionOf(source);
  refuseForeignInput(start, definition);
  const messages = messagesFrom(options.message ?? [], definition);
  const command = startInbox(definition, messages);
  for (const { message, pointer } of warnings) terminal.tell(`warning: ${pointer}: ${message}`);
  await agentsOf(cast, wantedBy(definition), cwd);
  for (const remark of remarksFor(cast, wantedBy(definition))) terminal.tell(`warning: ${remark}`);
  const { time: _, ...limits } = budget;
  const given = Object.keys(limits).length > 0 ? inboxRuns.budgetWrites(limits) : [];
  const request = { ...(command.request as JsonObject), ...requestOf(source.named, start) };
  return {
    powers: powersOf(definition, cast),
    files: source.files,
    engine: (store) => inboxEngine(definition, { run, store, cwd, cast, terminal }),
    begin: (driven) => driven.send({ ...command, writes: [...command.writes, ...given], request }),
  };
}

/** The messages of `NODE=TEXT` flags. Throws when one is no message, or its node is not in the graph. */
function messagesFrom(flags: readonly string[], definition: InboxDefinition): readonly Message[] {
  const nodes = Object.keys(definition.nodes);
  return flags.map((flag) => {
    const at = flag.indexOf("=");
    const [node, text] = [flag.slice(0, at), flag.slice(at + 1)];
    if (at < 1)
      throw new Misuse("usage", `--message ${flag} is not NODE=TEXT. The nodes are ${nodes.join(", ")}.`);
    refuseUnknownNode(node, nodes);
    return { node, text };
  });
}

/** Refuses a node that the graph does not have; names the one that was most likely meant, and those that it has. */
export function refuseUnknownNode(node: string, nodes: readonly string[]): void {
  if (nodes.includes(node)) return;
  const meant = closest(node, nodes);
  const guess = meant === undefined ? "" : ` Did you mean ${meant}?`;
  throw new Refusal("unknown_node", `The graph has no node ${node}.${guess} It has: ${nodes.join(", ")}.`);
}

function refuseForeignInput({ task, inputs }: Start, { nodes }: InboxDefinition): void {
  if (task === "" && inputs === undefined) return;
  const [node = "NODE"] = Object.keys(nodes);
  const hint = `Write to a node: --message ${node}=${task === "" ? "TEXT" : JSON.stringify(task)}`;
  throw new Misuse("usage", "An inbox graph takes messages to its nodes, neither a task nor inputs.", {
    hint,
  });
}
