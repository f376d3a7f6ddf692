import { expect, test } from "vitest";
import type { InboxDefinition } from "./definition.ts";
import { editInbox, type InboxEdit } from "./edit.ts";
import { readInbox } from "./read.ts";

const read = readInbox({
  nodes: { a: { kind: "task" }, b: { kind: "task" }, c: { kind: "verifier" } },
  edges: [
    { id: "e1", from: "a", to: "b" },
    { id: "e2", from: "b", to: "c" },
  ],
});
const before = (read as { definition: InboxDefinition }).definition;

function after(...edits: InboxEdit[]): InboxDefinition {
  const edited = editInbox(before, edits);
  if (!edited.ok) throw new Error(edited.errors.map(({ message }) => message).join(" "));
  return edited.definition;
}

test("nodes and edges are added, changed and removed, in the order of the edits", () => {
  const definition = after(
    { type: "set_node", id: "d", node: { kind: "task" } },
    { type: "set_node", id: "a", node: { kind: "orchestrator", prompt: "Lead." } },
    { type: "set_edge", edge: { from: "a", to: "d" } },
    { type: "set_edge", edge: { id: "e2", from: "b", to: "c", type: "report" } },
    { type: "remove_edge", id: "e1" },
  );
  expect(Object.keys(definition.nodes)).toEqual(["a", "b", "c", "d"]);
  expect(definition.nodes["a"]).toEqual({ kind: "orchestrator", prompt: "Lead." });
  expect(definition.edges.map(({ id, type }) => `${id} ${type}`)).toEqual(["e2 report", "a-d handoff"]);
  expect(definition.removed).toBeUndefined();
});

test("law 2: a node takes its edges with it; it is remembered as removed until it is there again", () => {
  const gone = after({ type: "remove_node", id: "b" });
  expect(gone).toMatchObject({ removed: ["b"], edges: [] });
  const back = editInbox(gone, [{ type: "set_node", id: "b", node: { kind: "task" } }]);
  expect(back).toMatchObject({ ok: true });
  expect(back.ok && back.definition.removed).toBeUndefined();
});

test("law 3: an edit warns of what it brought about, and not of what was there", () => {
  const shared = { kind: "task", workspace: "shared" } as const;
  const one = after({ type: "set_node", id: "a", node: shared }, { type: "set_node", id: "b", node: shared });
  const told = (edit: InboxEdit) =>
    editInbox(one, [edit]).warnings.map(({ code, pointer }) => `${code} ${pointer}`);
  expect(told({ type: "set", phase: "planning" })).toEqual([]);
  expect(told({ type: "set_node", id: "d", node: shared })).toEqual(["shared_writers /nodes/d/workspace"]);
});

test("settings that are left out stay as they are", () => {
  const definition = after({ type: "set", phase: "planning", limits: { stallAfter: 9 } });
  expect(definition).toMatchObject({
    phase: "planning",
    mode: "interactive",
    limits: { stallAfter: 9, maxConcurrentTurns: 4 },
  });
});

test("law 1: what is wrong comes back all at once", () => {
  const codes = (...edits: InboxEdit[]) => {
    const edited = editInbox(before, edits);
    return edited.ok ? [] : edited.errors.map(({ code, pointer }) => `${code} ${pointer}`);
  };
  expect(codes({ type: "remove_node", id: "x" }, { type: "remove_edge", id: "y" })).toEqual([
    "unknown_node /0/id",
    "unknown_edge /1/id",
  ]);
  expect(codes({ type: "set_edge", edge: { from: "a", to: "z" } })).toEqual(["unknown_endpoint /edges/2/to"]);
  const poisoned = { type: "set_node", id: "__proto__", node: { kind: "task" } } as const;
  expect(codes(poisoned)).toEqual(["bad_name /nodes/__proto__"]);
  expect(codes({ type: "set", mode: "auto" })).toEqual(["orchestrator_count /mode"]);
});
