import { expect, test } from "vitest";
import { helpFor, whySentence } from "./next-call.ts";

const standing = {
  run: "one",
  status: "waiting",
  reason: null,
  questions: [],
  error: null,
  nodes: {},
} as const;
const paused = { ...standing, status: "paused", reason: "requested" } as const;

/** What helps with one open question, without the name by which the command line was called. */
function helpWith(value: object): string {
  const question = { id: "1/a:0", node: "a", value: { ...value } };
  const [line = ""] = helpFor({ ...standing, questions: [question] }, { db: ".baton/baton.db" });
  return line.replaceAll(/\S*baton (?=approve|deny|answer)/g, "");
}

test("an approval is decided on, and any other question is answered", () => {
  expect(helpWith({ title: "May I?", args: {} })).toBe("Decide with: approve one  or: deny one");
  expect(helpWith({ title: "Which colour?" })).toBe("Answer with: answer one VALUE");
});

test("a question of a loadout that leads on by a decision takes a decision, or words with it", () => {
  expect(helpWith({ kind: "human", contract: { satisfied: "required" } })).toBe(
    "Decide with: approve one  or: deny one  or: answer one VALUE",
  );
  expect(helpWith({ kind: "human", contract: {} })).toBe("Answer with: answer one VALUE");
});

test("a paused run whose driver still has something in hand says so", () => {
  expect(whySentence(paused, 42, ["lead"])).toBe(
    "It is paused (requested). Process 42 still finishes what lead has in hand.",
  );
  expect(whySentence(paused, undefined, ["lead"])).toBe("It is paused (requested).");
  expect(whySentence({ ...paused, message: "lead stalled." }, 42, [])).toBe(
    "It is paused (requested): lead stalled.",
  );
});
