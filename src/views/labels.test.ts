import { expect, test } from "vitest";
import { idsIn, namesIn } from "./labels.ts";

const drawing = {
  nodes: [
    { id: "Socket-1", label: "Build" },
    { id: "Socket-2", label: "Check" },
    { id: "Socket-3", label: "Check" },
    { id: "__proto__" },
    { id: "lead", label: "lead" },
  ],
};

test("a node is called by its label, and by its id as well where two have the same label", () => {
  const nameOf = namesIn(drawing);
  expect(["Socket-1", "Socket-2", "Socket-3", "lead", "__proto__", "unknown"].map(nameOf)).toEqual([
    ...["Build", "Check (Socket-2)", "Check (Socket-3)", "lead", "__proto__", "unknown"],
  ]);
});

test("what is no drawing names nothing", () => {
  for (const none of [undefined, null, "text", { nodes: 4 }, { nodes: [null, { label: "x" }] }]) {
    expect(namesIn(none)("Socket-1")).toBe("Socket-1");
  }
});

test("who types commands is told ids first", () => {
  const nameOf = idsIn(drawing);
  expect(["Socket-1", "Socket-3", "lead"].map(nameOf)).toEqual([
    "Socket-1 (Build)",
    "Socket-3 (Check)",
    "lead",
  ]);
});
