/** The handoff contract (§4): validator, JSON Schema, prompt and repair agree, since they come from one shape. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import type { Materia, Socket } from "./definition.ts";
import { contractOf, handoffIssues, handoffShape, outputFormat, repairMessage } from "./handoff.ts";

const agent: Materia = { prompt: "Work.", tools: "none" };
const socket = (more: Partial<Socket> = {}): Socket => ({ materia: "M", parse: "json", ...more });
const issues = (at: Socket, materia: Materia, output: JsonObject) =>
  handoffIssues(contractOf(at, materia), output).map(({ pointer, hint }) => `${pointer} ${hint}`);

describe("§4: what a socket may say", () => {
  test("satisfied is required where an edge or advance reads it, and nowhere else", () => {
    const edges = [{ when: "satisfied", to: "end" }] as const;
    const advance = { cursor: "c", items: "state.workItems", when: "not_satisfied" } as const;
    expect(contractOf(socket({ edges }), agent).satisfied).toBe("required");
    expect(contractOf(socket({ advance }), agent).satisfied).toBe("required");
    expect(contractOf(socket({ edges: [{ when: "always", to: "end" }] }), agent).satisfied).toBe("optional");
  });

  test("a generator gives workItems, whatever its socket says", () => {
    expect(contractOf(socket({ assign: {} }), { ...agent, generator: true })).toMatchObject({
      ...{ parse: "json", workItems: "required", reads: [["workItems"]] },
    });
  });

  test("an agent that is asked for a state by its socket's assign may give one, and no other may", () => {
    expect(issues(socket({ assign: { s: "$.state" } }), agent, { state: { a: 1 } })).toEqual([]);
    expect(issues(socket(), agent, { state: { a: 1 } })).toEqual([
      "/state Only utilities may patch the state.",
    ]);
  });

  test("a utility may give fields of its own; what steers the run is checked all the same", () => {
    const utility: Materia = { type: "utility", command: ["x"] };
    expect(issues(socket(), utility, { own: 1, state: { a: 1 } })).toEqual([]);
    expect(issues(socket(), utility, { workItems: [{ title: "a", context: "b", id: 1 }] })).toHaveLength(1);
  });

  test("a path that leads through no own key is missing", () => {
    const at = socket({ assign: { x: "$.toString.name" } });
    expect(issues(at, agent, {})).toEqual(['/toString Add "toString": Read by this step.']);
  });
});

describe("§4: what is said about it", () => {
  const contract = contractOf(socket({ edges: [{ when: "satisfied", to: "end" }] }), agent);

  test("the prompt names the fields of this socket and no others", () => {
    const format = outputFormat(contract) ?? "";
    expect(format).toContain('{"satisfied":true,"context":"…"}');
    expect(format).toContain("- satisfied (required)");
    expect(format).not.toContain("workItems");
    expect(outputFormat({ ...contract, parse: "text" })).toBeUndefined();
  });

  test("the example in the prompt is one that the validator accepts", () => {
    for (const materia of [agent, { ...agent, generator: true }]) {
      const own = contractOf(socket({ assign: { v: "$.verdict" } }), materia);
      const example = JSON.parse(outputFormat(own)?.split("\n")[1] ?? "") as JsonObject;
      expect(handoffIssues(own, example)).toEqual([]);
    }
  });

  test("the JSON Schema requires what the validator requires", () => {
    expect(handoffShape(contract).schema).toMatchObject({
      required: ["satisfied"],
      additionalProperties: false,
    });
  });

  test("a repair says what was wrong and gives the format again", () => {
    const message = repairMessage(contract, handoffIssues(contract, { passed: true }));
    expect(message).toContain("- /satisfied: satisfied is missing.");
    expect(message).toContain("- /passed: passed is not a field that is known here. Use satisfied instead.");
    expect(message).toContain(outputFormat(contract));
  });
});
