import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Shapes } from "./shapes.ts";

function database(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE shapes (id INTEGER PRIMARY KEY, text TEXT NOT NULL, crc INTEGER)");
  return db;
}

function stored(db: DatabaseSync): unknown {
  return db.prepare("SELECT count(*) AS count FROM shapes").get()?.["count"];
}

describe("shapes", () => {
  test("are stored when they are met for the second time (2)", () => {
    const db = database();
    const shapes = new Shapes(db);
    expect(shapes.split('[{"step":1}]')).toBeUndefined();
    expect(stored(db)).toBe(0);
    expect(shapes.split('[{"step":23}]')).toEqual({ shape: 1, values: "23" });
    expect(shapes.split('[{"step":4}]')).toEqual({ shape: 1, values: "4" });
    expect(stored(db)).toBe(1);
  });

  test("leave out what differs: numbers, ids and long texts, and no keys", () => {
    const shapes = new Shapes(database());
    const text = (step: number, said: string) =>
      `[{"task":"${step}/review","a key that is longer than most":${JSON.stringify(said)}}]`;
    shapes.split(text(1, 'quotes " and \\ and more of them'));
    const split = shapes.split(text(22, "another text of some length"));
    expect(split?.values).toBe('22\t"another text of some length"');
  });

  test("are learnt by every object on the same file", () => {
    const db = database();
    const [one, other] = [new Shapes(db), new Shapes(db)];
    one.split("[1]");
    const split = one.split("[2]");
    expect(other.join(split?.shape ?? 0, ["2"])).toBe("[2]");
    expect(other.split("[3]")).toEqual({ shape: 1, values: "3" });
    expect(stored(db)).toBe(1);
  });

  test("are forgotten when what stored them is rolled back", () => {
    const db = database();
    const shapes = new Shapes(db);
    shapes.split("[1]");
    db.exec("BEGIN");
    expect(shapes.split("[2]")).toBeDefined();
    db.exec("ROLLBACK");
    shapes.reset();
    expect(() => shapes.join(1, ["2"])).toThrow("shape 1, which is not there");
  });

  test("join to the text that was split, whatever it is (1)", () => {
    const shapes = new Shapes(database());
    const text = fc.oneof(fc.json(), fc.string({ unit: fc.constantFrom('"', "\\", "1", "a", ":", " ") }));
    fc.assert(
      fc.property(text, (whole) => {
        shapes.split(whole);
        const split = shapes.split(whole);
        if (split !== undefined) expect(shapes.join(split.shape, split.values.split("\t"))).toBe(whole);
      }),
    );
  });
});
