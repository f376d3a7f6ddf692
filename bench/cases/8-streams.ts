/** Case 8: the loop of case 1, read while it runs. */

import { type Contender, contest, type Timings } from "../harness/contest.ts";
import { atLeast, type Case, type Figure, timesOf } from "../harness/report.ts";
import { batonLoop, COUNTED, peerLoop, STEPS, withThread } from "./loop-graph.ts";

type Mode = "updates" | "values";

interface Streams {
  stream(
    input: { n: number },
    config: ReturnType<typeof withThread> & { readonly streamMode: Mode },
  ): AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;
}

const PEER = "LangGraph.js";
const BATON = "Baton";

export const streams: Case = {
  title: "8. Streams of the loop of case 1",
  about:
    "Each mode is read to its end. The first chunk is that of `updates` in a loop of two steps, from the call to the chunk. There is no target but to be faster.",
  async run() {
    const updates = await contest(readers("updates"), { rounds: 9, result: { a: COUNTED } });
    const values = await contest(readers("values"), { rounds: 9, result: COUNTED });
    const first = await contest(
      [firstOf(PEER, peerLoop(undefined, 2), 20), firstOf(BATON, batonLoop(undefined, 2), 200)],
      { rounds: 9, result: { a: { n: 1 } } },
    );
    return {
      rows: [
        ...labelled("updates", timesOf(updates, "step")),
        ...labelled("values", timesOf(values, "step")),
        ...labelled("first chunk", timesOf(first, "stream")),
      ],
      figures: [faster("updates", updates), faster("values", values), faster("first chunk", first)],
    };
  },
};

function readers(streamMode: Mode): Contender[] {
  return [reader(PEER, peerLoop(), streamMode, 1), reader(BATON, batonLoop(), streamMode, 10)];
}

/** Reads all chunks; the last one is the result. */
function reader(name: string, app: Streams, streamMode: Mode, calls: number): Contender {
  return {
    name,
    units: STEPS,
    calls,
    run: async () => {
      let last: unknown;
      const stream = await app.stream({ n: 0 }, { ...withThread("t"), streamMode });
      for await (const chunk of stream) last = chunk;
      return last;
    },
  };
}

function firstOf(name: string, app: Streams, calls: number): Contender {
  let rest: AsyncIterator<unknown>;
  return {
    name,
    units: 1,
    calls,
    run: async () => {
      const stream = await app.stream({ n: 0 }, { ...withThread("t"), streamMode: "updates" });
      rest = stream[Symbol.asyncIterator]();
      return (await rest.next()).value;
    },
    finish: async () => {
      while (!(await rest.next()).done);
    },
  };
}

function labelled<R extends { readonly what: string }>(label: string, rows: readonly R[]): R[] {
  return rows.map((row) => ({ ...row, what: `${row.what}, ${label}` }));
}

function faster(label: string, timings: Timings): Figure {
  return atLeast(`faster than ${PEER}, ${label}`, timings.ratio(PEER, BATON), 1);
}
