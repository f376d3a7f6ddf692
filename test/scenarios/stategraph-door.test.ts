/** Promises of the door: what it exports, and that it loads nothing but the library itself. */
import { readFileSync } from "node:fs";
import * as door from "batonjs";
import { expect, test } from "vitest";

test("§1.1 the door has every name that users of the field know", () => {
  expect(Object.keys(door)).toEqual(
    expect.arrayContaining([
      ...["StateGraph", "MessageGraph", "START", "END", "END_NODE", "Send", "Command", "interrupt", "field"],
      ...[
        "reducers",
        "MemorySaver",
        "isInterrupted",
        "GraphError",
        "InvalidGraphError",
        "GraphRecursionError",
      ],
      ...["InvalidUpdateError", "NodeExecutionError", "EmptyInputError", "EmptyChannelError", "TaskNotFound"],
    ]),
  );
});

test("peer.2 importing it loads no module from outside, so that a graph runs in a browser", () => {
  const open = [new URL("../../src/index.ts", import.meta.url).href];
  const seen = new Set(open);
  const outside: string[] = [];
  for (const file of open) {
    const source = readFileSync(new URL(file), "utf8");
    for (const [, name = ""] of source.matchAll(/^(?:import|export)(?! type)[^;]*? from "([^"]+)";/gms)) {
      if (!name.startsWith(".")) outside.push(`${file}: ${name}`);
      const target = new URL(name, file).href;
      if (name.startsWith(".") && !seen.has(target)) {
        seen.add(target);
        open.push(target);
      }
    }
  }
  expect(open.length).toBeGreaterThan(40);
  expect(outside).toEqual([]);
});
