/** `baton demo`: the complete example, run for real in a repository that is made for it. */

import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject } from "../../base/json.ts";
import { runId } from "../../base/names.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import type { ResultDocument } from "../../protocol/result.ts";
import { summary } from "../../views/transcript.ts";
import { findFollowUp } from "../demo/follow-up.ts";
import { diffOf, makeRepository } from "../demo/repository.ts";
import { DEFAULT_DB } from "../global-flags.ts";
import { type Account, readResult } from "../runs/result.ts";
import { withStore } from "../runs/store.ts";
import { quoted, selfName } from "../self.ts";
import { confirm } from "../terminal/confirm.ts";
import { harmless, noPaint } from "../terminal/style.ts";
import { Terminal } from "../terminal/terminal.ts";
import type { Call, Options } from "../verb.ts";
import { approve, deny } from "./answer.ts";
import { run } from "./run.ts";

const NAMES = ["graph-semantics-loadout.json", "graph-semantics-script.json"] as const;
const TASK = "Greet people by name, and say in the documentation how";
const RUN = runId("demo");

/** Runs the example up to its question, asks the person, runs on to the end, and shows what came of it. */
export async function demo({ options, terminal }: Call): Promise<ExitCode> {
  const self = selfName();
  const copies = NAMES.map((name) => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url)));
  const folder = makeRepository(copies);
  const db = join(folder, DEFAULT_DB);
  const inner: Call = {
    args: [],
    options: { ...options, db },
    terminal: new Terminal({ ...options, muted: true }),
  };
  process.chdir(folder);
  terminal.tell(`A small git repository for the demo: ${folder}\n`);
  const [loadout, script] = NAMES;
  await run({ ...inner, args: [loadout, TASK], options: { ...inner.options, script, runId: RUN } });
  const { account, followUp } = await look(db);
  if (followUp !== undefined) tellFollowUp(followUp, terminal);
  for (const question of account.result.questions) {
    const isYes = await decide(question, options, terminal);
    await (isYes ? approve : deny)({ ...inner, args: [RUN, question.id] });
  }
  const { result } = (await look(db)).account;
  const diff = diffOf(folder, { color: terminal.paint !== noPaint });
  const next = ["show", "events", "why"].map(
    (verb) => `${fromAnywhere(self)} ${verb} ${RUN} --db ${quoted(db)}`,
  );
  terminal.document({ run: RUN, status: result.status, path: result.path, folder, db, followUp, diff, next });
  terminal.print(
    ["", "What happened", `  ${result.path.join(" → ")}`, "", "What changed", diff.trimEnd()].join("\n"),
  );
  terminal.print(["", "Where the log lies", `  ${db}`, "", "What to try next"].join("\n"));
  for (const call of next) terminal.print(`  ${call}`);
  return result.status === "completed" ? EXIT.done : EXIT.failed;
}

async function look(db: string): Promise<{ account: Account; followUp: string | undefined }> {
  return withStore(db, { create: false }, async ({ journal }) => ({
    account: await readResult(journal, RUN),
    followUp: await findFollowUp(journal, RUN),
  }));
}

function tellFollowUp(followUp: string, terminal: Terminal): void {
  const rows = harmless(followUp).split("\n");
  terminal.tell("\nThe evaluator sent the first item back. This stood in the builder's next prompt:");
  terminal.tell(rows.map((row) => `  │ ${row}`).join("\n"));
}

/** Asks the person, or where there is none, says yes in their place. */
async function decide(
  { value }: ResultDocument["questions"][number],
  { yes }: Options,
  terminal: Terminal,
): Promise<boolean> {
  const args = isJsonObject(value) && value["args"] !== undefined ? ` ${JSON.stringify(value["args"])}` : "";
  const question = `\nThe builder asks for your approval: ${harmless(summary(value) + args)}.`;
  if (terminal.isInteractive && !yes) return confirm(question);
  terminal.tell(`${question}\nNobody is there to be asked, so the demo answers for you: yes.\n`);
  return true;
}

/** The path of a script, relative to where the person is, works only there. */
function fromAnywhere(self: string): string {
  return self.includes("/") && !isAbsolute(self) ? `./${self}` : self;
}
