/** Cases of content: whatever JSON goes in comes out, and texts are kept under their references. */

import { strict as assert } from "node:assert";
import type { Json } from "../../base/json.ts";
import type { Event } from "../../kernel/event.ts";
import type { Plan } from "../../kernel/plan.ts";
import type { Journal } from "../../run/journal.ts";
import { batchOf, RUN, textOf, valuesOf } from "./batches.ts";

const STRINGS: readonly string[] = [
  "",
  " ",
  "\t\n\r\u2028\u2029",
  "\u0000",
  "\u0000\u0000text sha256:0",
  '"\\"',
  "'; DROP TABLE log; --",
  "%_*?[",
  "äöü 漢字 👩‍👩‍👧‍👦 e\u0301",
  "\ud800 alone",
  "\ud801 alone",
  "sha256:0000",
  "1234567890 12:34",
];

const NUMBERS: readonly number[] = [
  ...[0, 1, -1, 0.1, -1.5e-7, 1e21, 5e-324],
  ...[Number.MAX_VALUE, Number.MAX_SAFE_INTEGER],
];

/** Keys that a careless reader would lose or run. JSON.parse makes them own properties. */
const KEYS =
  '{"__proto__":{"polluted":true},"constructor":1,"toString":2,"":3,"1":4,"a\\u0000b":5,"type":"x"}';

export const contentCases: Readonly<Record<string, (journal: Journal) => Promise<void>>> = {
  async "scalars come back exactly"(journal) {
    await roundTrip(journal, [null, true, false, ...NUMBERS, ...STRINGS]);
  },

  async "containers come back exactly, the empty ones too"(journal) {
    await roundTrip(journal, [[], {}, [[]], [{}], { a: [] }, [null], { a: null }, [1, "1", [1]]]);
  },

  async "any key is a key, and none reaches a prototype"(journal) {
    await roundTrip(journal, [JSON.parse(KEYS) as Json, [JSON.parse(KEYS) as Json]]);
    assert.equal("polluted" in {}, false);
  },

  async "keys keep their order"(journal) {
    await journal.append(batchOf(0, [{ b: 1, a: 2, c: { z: 1, y: 2 } }]));
    const [value] = await valuesOf(journal);
    assert.equal(JSON.stringify(value), '{"b":1,"a":2,"c":{"z":1,"y":2}}');
  },

  async "deep values come back"(journal) {
    let deep: Json = "bottom";
    for (let i = 0; i < 500; i++) deep = i % 2 === 0 ? [deep] : { deep };
    await journal.append(batchOf(0, [deep]));
    assert.equal(JSON.stringify((await valuesOf(journal))[0]), JSON.stringify(deep));
  },

  async "large strings come back exactly, whatever they hold"(journal) {
    const large = STRINGS.map((text) => text.repeat(20_000) + text);
    await roundTrip(journal, large);
    const mixed = Object.fromEntries(STRINGS.map((text, index) => [`k${index}`, [text, large[index] ?? ""]]));
    await journal.append(batchOf(large.length, [mixed, mixed]));
    assert.deepEqual(await valuesOf(journal, RUN, large.length), [mixed, mixed]);
  },

  async "what looks like a reference is just a text"(journal) {
    const long = "a text that is long enough to be stored apart ".repeat(400);
    await journal.append(batchOf(0, [long]));
    const stored = JSON.stringify((await journal.read(RUN, 0))[0]);
    const suspects = ["text", "json", ""].flatMap((kind) =>
      ["\u0000", "\u0000\u0000", ""].map((start) => `${start}${kind} sha256:${"0".repeat(64)}`),
    );
    await journal.append(batchOf(1, [...suspects, [long, ...suspects]]));
    assert.deepEqual(await valuesOf(journal, RUN, 1), [...suspects, [long, ...suspects]]);
    assert.equal(JSON.stringify((await journal.read(RUN, 0, 1))[0]), stored);
  },

  async "alike appends come back each with its own values"(journal) {
    const values = Array.from({ length: 50 }, (_, i) => ({
      step: i,
      id: `${i}/node`,
      text: `value ${i} `.repeat(i % 7),
    }));
    for (const [i, value] of values.entries()) await journal.append(batchOf(i, [value]));
    assert.deepEqual(await valuesOf(journal), values);
  },

  async "plans and definitions come back, small ones and large ones"(journal) {
    const plans = ["", "x".repeat(2000), "y\u0000".repeat(20_000)].map(planOf);
    const events = plans.map((plan, index): Event => {
      const program = { dialect: "test", name: "program", revision: "1" };
      const fact = { type: "run.started" as const, plan, program, definition: { plan: plan.name } };
      return { ...fact, patches: [], route: [], run: RUN, seq: index + 1, at: index };
    });
    await journal.append({ run: RUN, after: 0, events, texts: [] });
    assert.deepEqual(await journal.read(RUN, 0), events);
  },

  async "texts are found by their reference, also when they are stored twice"(journal) {
    const texts = STRINGS.map((text, index) => textOf(String(index), text));
    const large = textOf("999", "large ".repeat(50_000));
    await journal.append(batchOf(0, ["a"], { texts: [...texts, large] }));
    await journal.append(batchOf(1, ["b"], { texts: [large] }));
    for (const { ref, text } of [...texts, large]) assert.equal(await journal.text(ref), text);
    assert.equal(await journal.text(textOf("404", "").ref), undefined);
  },
};

async function roundTrip(journal: Journal, values: readonly Json[]): Promise<void> {
  await journal.append(batchOf(0, values));
  assert.deepEqual(await valuesOf(journal), values);
}

function planOf(name: string): Plan {
  const common = { channels: {}, nodes: {}, entry: [], output: [], limits: {} };
  return { name, pace: "step", onFailure: "stop", ...common };
}
