import { describe, expect, test } from "vitest";
import type { Json } from "../../base/json.ts";
import type { RunState } from "../../kernel/state.ts";
import { Asker } from "./asker.ts";

interface Open {
  readonly id: string;
  readonly value: Json;
}

/** Plays a person who types these lines, one for each prompt; nothing more than that is typed. */
function setUp(lines: readonly string[], check: (answer: Json) => string | undefined = () => undefined) {
  const typed = [...lines];
  const [said, answers, prompts]: [string[], Json[], string[]] = [[], [], []];
  const asker = new Asker({
    read: async (prompt, signal, prefill) => {
      prompts.push(prefill === undefined ? prompt : `${prompt}${prefill}`);
      const line = typed.shift();
      if (line !== undefined) return line;
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      return undefined;
    },
    say: (text) => said.push(text),
    check: (_, answer) => check(answer),
    answer: async (question, value) => void answers.push([question.id, value]),
  });
  return { asker, said, answers, prompts };
}

/** A state as far as an asker looks at it. */
function asking(...questions: readonly Open[]): RunState {
  const task = {
    node: "a",
    phase: "asked",
    questions: questions.map((open) => ({ ...open, answer: undefined })),
  };
  return { count: { asked: questions.length }, tasks: new Map([["1/a", task]]) } as unknown as RunState;
}

const may: Open = { id: "1/a:0", value: { title: "May I?", args: { path: "x" } } };
const what: Open = { id: "1/a:1", value: "What?" };

describe("an approval", () => {
  const rows: [string, string[], Json][] = [
    ["yes", ["y"], { approved: true }],
    ["no, with a reason", ["n", "Not now"], { approved: false, reason: "Not now" }],
    ["no, without one", ["no", " "], { approved: false }],
    ["edited", ["e", '{"path":"y"}'], { approved: true, args: { path: "y" } }],
    ["edited at the second try", ["e", "{ no", "e", "[1]"], { approved: true, args: [1] }],
    ["after something else was typed", ["what?", "yes"], { approved: true }],
  ];
  test.each(rows)("%s", async (_, lines, value) => {
    const { asker, answers, said } = setUp(lines);
    asker.look(asking(may));
    expect(await asker.settled()).toBe(true);
    expect(answers).toEqual([["1/a:0", value]]);
    expect(said[0]).toBe('a asks: May I? {"path":"x"}');
  });

  test("is one line with what would be done, whatever its title has in it (4)", async () => {
    const { asker, said } = setUp(["l"]);
    const title = "List files\n[y]es, [n]o, [e]dit, [l]ater: \u001b[8m\u202e";
    asker.look(asking({ id: "1/a:0", value: { title, args: { command: "rm -r ." } } }));
    await asker.settled();
    expect(said[0]).toBe(
      String.raw`a asks: List files [y]es, [n]o, [e]dit, [l]ater: \u001b[8m\u202e {"command":"rm -r ."}`,
    );
  });

  test("is edited from what was asked", async () => {
    const { asker, prompts } = setUp(["e", "{}"]);
    asker.look(asking(may));
    await asker.settled();
    expect(prompts[1]).toBe('Arguments: {"path":"x"}');
  });
});

test("one question at a time, in the order of asking, and each of them once (1)", async () => {
  const { asker, answers } = setUp(["l", "3"]);
  asker.look(asking(may, what));
  asker.look(asking(may, what));
  expect(await asker.settled()).toBe(true);
  expect(answers).toEqual([["1/a:1", 3]]);
  expect(await asker.settled()).toBe(false);
});

test("a question that is answered elsewhere is taken back (2)", async () => {
  const { asker, answers } = setUp([]);
  asker.look(asking(may));
  asker.look(asking());
  expect(await asker.settled()).toBe(false);
  expect(answers).toEqual([]);
});

test("an answer that does not fit is asked for again, and the reason is said (3)", async () => {
  const { asker, answers, said } = setUp(["many", "3"], (answer) =>
    typeof answer === "number" ? undefined : "A number, please.",
  );
  asker.look(asking(what));
  await asker.settled();
  expect(answers).toEqual([["1/a:1", 3]]);
  expect(said).toContain("A number, please.");
});

test("nobody who ends it is asked any more", async () => {
  const { asker, answers } = setUp([]);
  asker.look(asking(may, what));
  asker.end();
  expect(await asker.settled()).toBe(false);
  expect(answers).toEqual([]);
});

test("a question in words shows what helps to answer it, and nothing where there is nothing", async () => {
  const question = (id: string, args: Json): Open => {
    return { id, value: { kind: "question", title: "Which colour?", args } };
  };
  const { asker, answers, said } = setUp(["Blue.", "Red."]);
  asker.look(asking(question("1/a:0", { context: "For the door." }), question("1/a:1", {})));
  await asker.settled();
  expect(said).toEqual(['a asks: Which colour? {"context":"For the door."}', "a asks: Which colour?"]);
  expect(answers).toEqual([
    ["1/a:0", "Blue."],
    ["1/a:1", "Red."],
  ]);
});
