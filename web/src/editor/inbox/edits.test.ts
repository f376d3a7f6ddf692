import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { editInbox, type InboxDefinition, type Json, readInbox } from "../../model/baton.ts";
import { commandsBetween } from "./commands.ts";
import {
  addInboxEdge,
  addNode,
  edgeIds,
  type InboxDraft,
  inboxDraftOf,
  performInbox,
  removeInboxEdge,
  removeNode,
  renameNode,
  setEdgeField,
  setNodeField,
} from "./edits.ts";

const TEAM = readFileSync("examples/inbox-team.json", "utf8");

function draft(text: string): InboxDraft {
  const found = inboxDraftOf(text);
  if (found === undefined) throw new Error("no draft");
  return found;
}

function after(
  text: string,
  ...edits: ((draft: InboxDraft) => Parameters<typeof performInbox>[1])[]
): string {
  return edits.reduce((before, edit) => {
    const at = draft(before);
    const done = performInbox(at, edit(at));
    if (!done.ok) throw new Error(done.why);
    return done.text;
  }, text);
}

function definition(text: string): InboxDefinition {
  const read = readInbox(JSON.parse(text) as Json);
  if (!read.ok) throw new Error(read.errors[0]?.message);
  return read.definition;
}

describe("an edit of an inbox graph", () => {
  test("touches what it is about and nothing else", () => {
    const renamed = after(TEAM, (at) => renameNode(at, "frontend", "page"));
    expect(renamed).toBe(
      TEAM.replace('"frontend": {', '"page": {')
        .replace('"to": "frontend"', '"to": "page"')
        .replace('"from": "frontend"', '"from": "page"'),
    );
    expect(
      after(
        TEAM,
        (at) => addInboxEdge(at, "judge", "backend"),
        (at) => removeInboxEdge(at, 6),
      ),
    ).toBe(TEAM);
    expect(
      after(
        TEAM,
        (at) => addNode(at, "task"),
        (at) => removeNode(at, "worker"),
      ),
    ).toBe(TEAM);
    expect(after(TEAM, (at) => setEdgeField(at, 0, "auto", true))).toBe(
      TEAM.replace('"direction": "directional" }', '"direction": "directional", "auto": true }'),
    );
  });

  test("takes the edges of a node along with it", () => {
    const text = after(TEAM, (at) => removeNode(at, "judge"));
    expect(text).not.toContain("judge");
    expect(edgeIds(draft(text))).toEqual(["to-frontend", "to-backend", "from-frontend", "from-backend"]);
  });

  test("is refused with a sentence when it would leave a fault behind", () => {
    const at = draft(TEAM);
    expect(performInbox(at, addInboxEdge(at, "lead", "nobody"))).toMatchObject({ ok: false });
    expect(performInbox(at, renameNode(at, "lead", "judge"))).toMatchObject({ ok: false });
  });
});

describe("the commands between two graphs", () => {
  test("lead from the one to the other, and are none where nothing differs", () => {
    expect(commandsBetween(definition(TEAM), definition(TEAM))).toEqual([]);
    const text = after(
      TEAM,
      (at) => removeNode(at, "judge"),
      (at) => addNode(at, "task"),
      (at) => addInboxEdge(at, "lead", "worker"),
      (at) => removeInboxEdge(at, 0),
      (at) => setEdgeField(at, 0, "auto", true),
      (at) => setNodeField(at, "lead", "model", "small"),
    );
    const commands = commandsBetween(definition(TEAM), definition(text));
    expect(commands.map(({ type }) => type)).toEqual([
      ...["remove_edge", "set_node", "set_node", "set_edge", "set_edge", "remove_node"],
    ]);
    const edited = editInbox(definition(TEAM), commands);
    const { removed: _, ...found } = edited.ok ? edited.definition : definition(TEAM);
    const byId = ({ edges, ...rest }: InboxDefinition) => {
      return { ...rest, edges: edges.toSorted((a, b) => a.id.localeCompare(b.id)) };
    };
    expect(byId(found)).toEqual(byId(definition(text)));
  });
});
