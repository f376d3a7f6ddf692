import { describe, expect, test } from "vitest";
import { type Change, changed } from "./change.ts";
import { readTree } from "./tree.ts";

const AUTHORED = `{
\t"a":   1,
\t"list": [ 1,2,   3 ],
\t"objects": [
\t\t{"x":1},
\t\t{ "x" : 2 }
\t],
\t"empty": {}
}
`;

const apply = (text: string, ...changes: Change[]): string => changed(text, changes);

describe("a tree", () => {
  test("reads what JSON.parse reads, and says where the rest is broken (1)", () => {
    for (const text of ["1", '"\\u00e9"', "[]", '{"a":{"b":[true,null,-1.5e3]}}', ' {"__proto__":1} ']) {
      expect(readTree(text).ok).toBe(true);
    }
    for (const text of ["", "{", "{a:1}", "[1,]", '{"a":1,}', "01", '"\n"', "1 2", "nul"]) {
      expect(() => JSON.parse(text)).toThrow();
      expect(readTree(text).ok).toBe(false);
    }
    expect(readTree('{"a":1,}')).toEqual({
      ok: false,
      message: "Here a key in double quotes was expected.",
      at: 7,
    });
  });
});

describe("a change", () => {
  test("leaves every other byte as it is (1)", () => {
    expect(apply(AUTHORED, { type: "set", path: ["a"], value: 2 })).toBe(AUTHORED.replace("  1,", "  2,"));
    expect(apply(AUTHORED, { type: "set", path: ["objects", 1, "x"], value: "y" })).toBe(
      AUTHORED.replace('"x" : 2', '"x" : "y"'),
    );
    expect(apply(AUTHORED, { type: "remove", path: ["list", 1] })).toBe(AUTHORED.replace("2,   ", ""));
    expect(apply(AUTHORED, { type: "remove", path: ["list", 2] })).toBe(AUTHORED.replace(",   3", ""));
    expect(apply(AUTHORED, { type: "remove", path: ["empty"] })).toBe(
      AUTHORED.replace(',\n\t"empty": {}', ""),
    );
    expect(apply(AUTHORED, { type: "move", path: ["objects"], from: 1, to: 0 })).toBe(
      AUTHORED.replace('{"x":1},\n\t\t{ "x" : 2 }', '{ "x" : 2 },\n\t\t{"x":1}'),
    );
    expect(apply(AUTHORED, { type: "rename", path: ["list"], key: "l" })).toBe(
      AUTHORED.replace('"list"', '"l"'),
    );
  });

  test("changes nothing where the value is the same already (2)", () => {
    expect(apply(AUTHORED, { type: "set", path: ["list"], value: [1, 2, 3] })).toBe(AUTHORED);
    expect(apply(AUTHORED, { type: "set", path: ["objects", 0], value: { x: 1 } })).toBe(AUTHORED);
  });

  test("makes what is missing on its way, in the author's indentation (3)", () => {
    expect(apply(AUTHORED, { type: "set", path: ["new", "x", "y"], value: [1] })).toBe(
      AUTHORED.replace('"empty": {}', '"empty": {},\n\t"new": {\n\t\t"x": { "y": [1] }\n\t}'),
    );
    expect(apply(AUTHORED, { type: "insert", path: ["made"], index: 0, value: 1 })).toContain('"made": [1]');
  });

  test("adds to a line or to lines, as the author set them", () => {
    expect(apply(AUTHORED, { type: "insert", path: ["list"], index: 1, value: 9 })).toBe(
      AUTHORED.replace("1,2", "1,9, 2"),
    );
    expect(apply(AUTHORED, { type: "insert", path: ["objects"], index: 2, value: { x: 3 } })).toBe(
      AUTHORED.replace('{ "x" : 2 }', '{ "x" : 2 },\n\t\t{ "x": 3 }'),
    );
    expect(apply('{"a":1}', { type: "set", path: ["b"], value: { c: { d: 1 } } })).toBe(
      '{"a":1, "b": { "c": { "d": 1 } }}',
    );
  });

  test("takes a line apart that grows too long, and keeps the text of what was in it", () => {
    const text = `{\n  "x": { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa":1 }\n}`;
    const after = apply(text, { type: "set", path: ["x", "b"], value: "b".repeat(60) });
    expect(after).toBe(
      `{\n  "x": {\n    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa":1,\n    "b": "${"b".repeat(60)}"\n  }\n}`,
    );
  });

  test("keeps Windows line ends, and takes __proto__ for a key like any other", () => {
    const text = '{\r\n  "a": 1\r\n}';
    expect(apply(text, { type: "set", path: ["__proto__", "x"], value: 1 })).toBe(
      '{\r\n  "a": 1,\r\n  "__proto__": { "x": 1 }\r\n}',
    );
  });
});
