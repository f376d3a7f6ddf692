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

const by = (driver: number | undefined, live: readonly string[]) => {
  return { driver, live, nameOf: (node: string) => node, tellsIds: false };
};

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
  expect(whySentence(paused, by(42, ["lead"]))).toBe(
    "It is paused (requested). Process 42 still finishes what lead has in hand.",
  );
  expect(whySentence(paused, by(undefined, ["lead"]))).toBe("It is paused (requested).");
  expect(whySentence({ ...paused, message: "lead stalled." }, by(42, []))).toBe(
    "It is paused (requested): lead stalled.",
  );
});

test("nodes are called by the names that people gave them, and questions have ids for whoever types them", () => {
  const question = { id: "4/Socket-4:0", node: "Socket-4", value: { title: "May I?" } };
  const waiting = { ...standing, status: "waiting", questions: [question] } as const;
  const named = { ...by(7, ["Socket-4"]), nameOf: () => "Build" };
  expect(whySentence(waiting, named)).toBe("It waits for a person: Build asks “May I?”.");
  expect(whySentence(waiting, { ...named, tellsIds: true })).toBe(
    "It waits for a person: Build asks “May I?” (4/Socket-4:0).",
  );
  expect(whySentence({ ...standing, status: "running" }, named)).toContain("for Build, and process 7");
  const error = { code: "timeout", message: "Too late.", at: "Socket-4" };
  expect(whySentence({ ...standing, status: "failed", error }, named)).toBe(
    "It failed (timeout) at Build: Too late.",
  );
});
