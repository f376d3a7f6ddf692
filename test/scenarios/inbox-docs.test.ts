/** The pages on inbox graphs say what is so: the reference is the schema, and the transcripts are those of the examples. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { inboxJsonSchema } from "../../src/inbox.ts";
import { referenceOf } from "./inbox-docs.ts";
import { Stage } from "./inbox-stage.ts";

const page = (name: string) => readFileSync(new URL(`../../docs/inbox/${name}.md`, import.meta.url), "utf8");
const example = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../examples/inbox-${name}.json`, import.meta.url), "utf8")) as Json;

/** What stands between two marks of a page. */
function between(text: string, mark: string): string {
  const [, part = ""] = text.split(`<!-- ${mark} -->\n`);
  return part.trim();
}

test("docs/inbox/format.md is up to date (its reference is printed below when it is not)", () => {
  expect(between(page("format"), "reference")).toBe(referenceOf(inboxJsonSchema()));
});

test.each([
  ["team", "lead: We need a sign-up."],
  ["review", "author: Write a function that adds."],
  ["pipeline", "gather: Why do my eggs take so long up here?"],
])("the walk through the example %s is what happens", async (name, message) => {
  const stage = new Stage({ graph: example(name), script: example(`${name}-script`) });
  const { turns, status } = await stage.play(message);
  expect(status).toBe("completed");
  const lines = turns.map(({ node, turn, consumed }) => {
    const read = consumed.map(({ kind, from, message: text }) => `${kind} from ${from}: ${text}`);
    return `${node} ${turn}  ${read.join("\n".padEnd(node.length + 5))}`.trimEnd();
  });
  const [shown = ""] = /(?<=```text\n)[\s\S]*?(?=\n```)/.exec(between(page("examples"), name)) ?? [];
  expect(shown).toBe(lines.join("\n"));
  const call = `baton run examples/inbox-${name}.json --script examples/inbox-${name}-script.json --message "${message.replace(": ", "=")}"`;
  expect(page("examples")).toContain(call);
});

test("every example of JSON in the pages is an inbox graph that passes the check", async () => {
  const { checkInbox } = await import("../../src/inbox.ts");
  const blocks = ["README", "format"].flatMap((name) => [
    ...page(name).matchAll(/(?<=```json\n)[\s\S]*?(?=\n```)/g),
  ]);
  expect(blocks.length).toBeGreaterThan(0);
  for (const [block] of blocks)
    expect(checkInbox(JSON.parse(block) as Json)).toMatchObject({ ok: true, warnings: [] });
});

test("docs/inbox/rules.md names every test of a rule, and each of them runs on every journal", () => {
  const here = new URL(".", import.meta.url);
  const files = readdirSync(here).filter((name) => /^inbox-.*\.test\.ts$/.test(name));
  const tests = files.flatMap((name) => {
    const text = readFileSync(new URL(name, here), "utf8");
    const [once = "", ...looped] = text.split(/^(?:describe|test(?:\.concurrent)?)\.each\(JOURNALS\)/m);
    expect([name, /"§/.test(once.replaceAll(/^ .*$/gm, ""))]).toEqual([name, false]);
    return looped.flatMap((part) => [...part.matchAll(/"(§[^"]*?)(?: \(%s\))?"/g)].map(([, title]) => title));
  });
  const named = [...page("rules").matchAll(/^ {2}- \*(§.*)\*$/gm)].map(([, title]) => title);
  expect(tests.length).toBeGreaterThan(90);
  expect(named.filter((title) => !tests.includes(title))).toEqual([]);
  expect(tests.filter((title) => !named.includes(title))).toEqual([]);
});
