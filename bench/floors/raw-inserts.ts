/** The least that a durable superstep could cost on disk: its rows, inserted by hand, a transaction per step. */

import { DatabaseSync } from "node:sqlite";

export interface RawLog {
  /** Three rows per step: the task that finished, the commit, the next step. */
  insert(steps: number): void;
  /** The facts of a step in one row, as Baton's journal stores them. */
  insertJoined(steps: number): void;
  close(): void;
}

type Facts = readonly (readonly [type: string, fact: object])[];

/** A log on a file that is set like Baton's journal: WAL, `synchronous = NORMAL`. */
export function openRawLog(path: string): RawLog {
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  db.exec("CREATE TABLE events (seq INTEGER PRIMARY KEY, at INTEGER, type TEXT, data TEXT)");
  db.exec("CREATE TABLE steps (id INTEGER PRIMARY KEY, n INTEGER, text TEXT)");
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const insertEvent = db.prepare("INSERT INTO events (at, type, data) VALUES (?, ?, ?)");
  const insertStep = db.prepare("INSERT INTO steps (n, text) VALUES (?, ?)");
  const inTransactions = (steps: number, write: (facts: Facts) => void) => {
    for (let step = 1; step <= steps; step++) {
      begin.run();
      write(factsOf(step));
      commit.run();
    }
  };
  return {
    insert: (steps) =>
      inTransactions(steps, (facts) => {
        for (const [type, fact] of facts) insertEvent.run(Date.now(), type, JSON.stringify(fact));
      }),
    insertJoined: (steps) =>
      inTransactions(steps, (facts) => {
        insertStep.run(facts.length, JSON.stringify(facts.map(([type, fact]) => ({ type, ...fact }))));
      }),
    close: () => db.close(),
  };
}

function factsOf(step: number): Facts {
  const task = `${step}/a`;
  return [
    ["task.finished", { task, writes: [{ channel: "n", value: step }], route: [">a"] }],
    ["step.committed", { step, ran: [task], patches: [{ channel: "n", op: "take", as: "set" }] }],
    ["step.opened", { step: step + 1, tasks: [{ task: `${step + 1}/a`, node: "a" }] }],
  ];
}
