/** Case 5: a list of messages that grows by 1 KiB per step, kept in SQLite: bytes, time and memory as it gets long. */

import { SqliteJournal } from "../../src/sqlite.ts";
import { type Contender, checkResult, contest } from "../harness/contest.ts";
import { bytesOf, freshPath, removeDatabase } from "../harness/folder.ts";
import { probe } from "../harness/probe.ts";
import { atMost, type Case, type Row, timesOf } from "../harness/report.ts";
import { exactly } from "../harness/spread.ts";
import { openPeerSaver } from "../peer/sqlite.ts";
import { withThread } from "./loop-graph.ts";
import { batonMessages, expected, KIB, peerMessages, summary } from "./messages-graph.ts";

const SHORT = 100;
const LONG = 1000;
const LONGEST = 10_000;
const MIB = 2 ** 20;
const PER_PAYLOAD = "× the payload";

export const messages: Case = {
  title: "5. A list that grows by 1 KiB per step, kept in SQLite",
  about:
    "Each step adds a message of 1 KiB. Stored bytes are those of the file after `close()`, beside 1 KiB per step. For the time per step, threads with 10,000 steps in all are run one after the other on one journal. The heap is looked at after a garbage collection within the last step, in a process of its own, beside that of a process that only holds the same messages in a list; no target was given for it but to be flat. LangGraph.js keeps a plain list, its fastest; Baton a list of messages with ids.",
  async run() {
    const timings = await contest([grown(SHORT), grown(LONG), grown(LONGEST)], {
      rounds: 5,
      warmUps: 1,
      result: "grown",
    });
    const held = await heapOf("run");
    const least = await heapOf("list");
    return {
      rows: [
        ...timesOf(timings, "step"),
        ...(await Promise.all([SHORT, LONG].map(storedByPeer))),
        { what: "Baton, heap of 9,000 more steps", value: exactly(held / MIB), unit: "MiB" },
        { what: "9,000 more messages in a list", value: exactly(least / MIB), unit: "MiB" },
      ],
      figures: [
        atMost("Baton, stored at 1,000 steps", await storedByBaton(LONG), 1.25, PER_PAYLOAD),
        atMost("Baton, stored at 10,000 steps", await storedByBaton(LONGEST), 1.25, PER_PAYLOAD),
        atMost("time of a step at 10,000 to that at 100", timings.ratio(named(LONGEST), named(SHORT)), 1.2),
        atMost("heap of 9,000 more steps to that of their messages", exactly(held / least), 1.25),
      ],
    };
  },
};

function named(steps: number): string {
  return `Baton, ${steps.toLocaleString("en")} steps`;
}

/** Threads of so many steps, until there are 10,000 steps in one file. */
function grown(steps: number): Contender {
  let journal: SqliteJournal;
  const threads = LONGEST / steps;
  return {
    name: named(steps),
    units: LONGEST,
    prepare: () => {
      journal = new SqliteJournal(freshPath("messages.db"));
    },
    run: async () => {
      const app = batonMessages(journal, { steps });
      for (let thread = 0; thread < threads; thread++) {
        const state = await app.invoke({}, withThread(`t${thread}`));
        checkResult(named(steps), summary(state), expected(steps));
      }
      return "grown";
    },
    finish: () => {
      journal.close();
      removeDatabase(journal.path);
    },
  };
}

async function storedByBaton(steps: number) {
  const journal = new SqliteJournal(freshPath("stored.db"));
  const state = await batonMessages(journal, { steps }).invoke({}, withThread("t"));
  checkResult("Baton", summary(state), expected(steps));
  journal.close();
  const bytes = bytesOf(journal.path);
  removeDatabase(journal.path);
  return exactly(bytes / (steps * KIB));
}

async function storedByPeer(steps: number): Promise<Row> {
  const path = freshPath("peer-stored.db");
  const { saver, close } = openPeerSaver(path);
  const state = await peerMessages(saver, { steps }).invoke({ n: 0 }, withThread("t"));
  checkResult("The peer", summary(state), expected(steps));
  close();
  const bytes = bytesOf(path);
  removeDatabase(path);
  return {
    what: `LangGraph.js, stored at ${steps.toLocaleString("en")} steps`,
    value: exactly(bytes / (steps * KIB)),
    unit: PER_PAYLOAD,
  };
}

/** The bytes that 10,000 messages hold more than 1,000, in a run or in a list. */
async function heapOf(holder: "run" | "list"): Promise<number> {
  const [less, more] = await Promise.all(
    [LONG, LONGEST].map((steps) => probe("heap.ts", [holder, String(steps)])),
  );
  return Number(more) - Number(less);
}
