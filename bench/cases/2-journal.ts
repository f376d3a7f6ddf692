/** Case 2: the same loop with a journal on disk, every step committed before the next. */

import { SqliteJournal } from "../../src/sqlite.ts";
import { openRawLog, type RawLog } from "../floors/raw-inserts.ts";
import { type Contender, contest } from "../harness/contest.ts";
import { freshPath, removeDatabase } from "../harness/folder.ts";
import { atLeast, atMost, type Case, timesOf } from "../harness/report.ts";
import { openPeerSaver, type PeerSaver } from "../peer/sqlite.ts";
import { batonLoop, COUNTED, peerLoop, STEPS, withThread } from "./loop-graph.ts";

const PEER_ALONE = "LangGraph.js, no checkpointer";
const PEER = "LangGraph.js, SQLite";
const BATON = "Baton, SQLite";
const ROWS = "raw inserts, three rows per step";
const ONE_ROW = "raw inserts, one row per step";

export const journal: Case = {
  title: "2. The same loop, kept in SQLite",
  about:
    "WAL, `synchronous = NORMAL`, one transaction per step at the least; a new file for each call, opened and closed outside of the time. All use the SQLite of Node. The raw inserts print and store the facts of a step by hand.",
  async run() {
    const alone = peerLoop();
    const timings = await contest(
      [
        { name: PEER_ALONE, units: STEPS, run: () => alone.invoke({ n: 0 }, withThread("t")) },
        keptByPeer(),
        keptByBaton(),
        raw(ROWS, (log) => log.insert(STEPS)),
        raw(ONE_ROW, (log) => log.insertJoined(STEPS)),
      ],
      { rounds: 7, result: COUNTED },
    );
    return {
      rows: timesOf(timings, "step"),
      figures: [
        atLeast("faster than LangGraph.js without a checkpointer", timings.ratio(PEER_ALONE, BATON), 8, 12),
        atMost("time of the raw inserts", timings.ratio(BATON, ROWS), 2),
      ],
    };
  },
};

function keptByPeer(): Contender {
  let path = "";
  let kept: PeerSaver;
  return {
    name: PEER,
    units: STEPS,
    prepare: () => {
      path = freshPath("peer.db");
      kept = openPeerSaver(path);
    },
    run: () => peerLoop(kept.saver).invoke({ n: 0 }, { ...withThread("t"), durability: "sync" }),
    finish: () => {
      kept.close();
      removeDatabase(path);
    },
  };
}

function keptByBaton(): Contender {
  let kept: SqliteJournal;
  return {
    name: BATON,
    units: STEPS,
    calls: 5,
    prepare: () => {
      kept = new SqliteJournal(freshPath("baton.db"));
    },
    run: () => batonLoop(kept).invoke({ n: 0 }, withThread("t")),
    finish: () => {
      kept.close();
      removeDatabase(kept.path);
    },
  };
}

function raw(name: string, insert: (log: RawLog) => void): Contender {
  let path = "";
  let log: RawLog;
  return {
    name,
    units: STEPS,
    calls: 5,
    prepare: () => {
      path = freshPath("raw.db");
      log = openRawLog(path);
    },
    run: () => {
      insert(log);
      return COUNTED;
    },
    finish: () => {
      log.close();
      removeDatabase(path);
    },
  };
}
