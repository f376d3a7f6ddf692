/** The story that every real agent is told through the command line: two graphs, a person, a cancel, and two kinds of death. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import type { Event } from "../../src/kernel/event.ts";
import { packed, type Step, scripted } from "../fixtures/fake-model/script.ts";
import { House } from "./house.ts";
import type { AgentName, Installed } from "./install.ts";
import { hasTerminals } from "./tty.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/graph-semantics-loadout.json", import.meta.url));
const ASKING = ["--agent", "coder", "--config", "asks.json"];
const ALLOWING = ["--agent", "coder", "--config", "allows.json"];
const SLOW: Step = { text: "one two three four five six seven", chunks: 20, delayMs: 100 };

/** The example with a script in each prompt: one item, for which two files are to be written. */
function exampleFor(house: House): object {
  const loadout = JSON.parse(readFileSync(EXAMPLE, "utf8")) as {
    materia: Record<string, { prompt?: string; [key: string]: unknown }>;
  };
  const says = (value: Json): Step => ({ text: typeof value === "string" ? value : JSON.stringify(value) });
  const scripts: Readonly<Record<string, readonly Step[]>> = {
    "Auto-Plan": [says({ workItems: [{ title: "Two files", context: "One good, one bad." }] })],
    Build: [
      house.write("good.txt", "good\n"),
      house.write("bad.txt", "bad\n"),
      says("I wrote what I was let."),
    ],
    "Auto-Eval": [says({ satisfied: true })],
    Maintain: [says({ satisfied: true })],
    Narrate: [says("One of two files.")],
  };
  for (const [name, steps] of Object.entries(scripts)) loadout.materia[name]!.prompt = scripted(...steps);
  return loadout;
}

/** A lead hands a task to a worker, who writes a file and reports; then the lead closes the goal. */
function teamFor(house: House): { graph: object; message: string } {
  const { graph: graphTool } = house.stand.recipe;
  const closing = packed(graphTool("finish", { ok: true, summary: "It is built." }), { text: "Done." });
  const building = packed(
    house.write("built.txt", "built\n"),
    graphTool("send", { to: "lead", message: `It is built. ${closing}` }),
    { text: "Reported." },
  );
  const message = scripted(graphTool("send", { to: "worker", message: `Build it. ${building}` }), {
    text: "Handed on.",
  });
  const graph = {
    name: "team",
    mode: "auto",
    nodes: { lead: { kind: "orchestrator" }, worker: { kind: "task" } },
    edges: [
      { from: "lead", to: "worker", direction: "directional" },
      { from: "worker", to: "lead", type: "report", direction: "directional" },
    ],
  };
  return { graph, message };
}

/** Sockets one after the other, each with a script. */
function row(...scripts: readonly (readonly Step[])[]): object {
  const sockets = scripts.map((_, at) => [
    `Socket-${at + 1}`,
    {
      materia: `M${at + 1}`,
      edges: at + 1 < scripts.length ? [{ when: "always", to: `Socket-${at + 2}` }] : [],
    },
  ]);
  const materia = scripts.map((steps, at) => [`M${at + 1}`, { prompt: scripted(...steps), tools: "coding" }]);
  return { entry: "Socket-1", sockets: Object.fromEntries(sockets), materia: Object.fromEntries(materia) };
}

/** How often each turn of a run was recorded; more than once is work done twice. */
function recorded(events: readonly Event[]): readonly number[] {
  const counts = new Map<string, number>();
  for (const event of events) {
    if (event.type !== "task.finished") continue;
    counts.set(event.task, (counts.get(event.task) ?? 0) + 1);
  }
  return [...counts.values()];
}

export function tellStory<Name extends AgentName>(name: Name, installed: Installed<Name>): void {
  describe.runIf(installed.ok && hasTerminals)(`${name}, from the command line`, { timeout: 90_000 }, () => {
    let house: House;
    beforeAll(async () => {
      if (!installed.ok) throw new Error(installed.why);
      house = await House.open(name, installed.programs[name]);
    });
    afterAll(() => house.close());

    /** How often the model was asked with this in the last thing said. */
    const askedFor = (text: string): number =>
      house.stand.model.asked.filter(({ conversation: { offersTools, entries } }) => {
        const last = entries.findLast((entry) => entry.kind === "said" && entry.text.includes("<<FAKE"));
        return offersTools && last?.kind === "said" && last.text.includes(text);
      }).length;

    test("the example loadout: a file is written after an approval from a second terminal, one is denied", async () => {
      const file = house.file("example.json", exampleFor(house));
      const first = house.sit("run", file, "Two files", ...ASKING, "--run-id", "example");
      await first.until("[l]ater");
      expect((await house.asked("example")).value).toMatchObject({
        ...{ kind: "approval", node: "Socket-4", args: { kind: "edit", paths: ["good.txt"] } },
      });
      expect(house.has("good.txt")).toBe(false);
      await house.told("approve", "example", "--detach");
      await expect
        .poll(async () => (await house.asked("example")).value, { timeout: 30_000 })
        .toMatchObject({
          ...{ args: { paths: ["bad.txt"] } },
        });
      expect(house.read("good.txt")).toBe("good\n");
      await house.told("deny", "example", "--reason", "Not that one.", "--detach");
      expect([await first.ended, first.text]).toEqual([0, expect.stringContaining("completed")]);
      expect(house.has("bad.txt")).toBe(false);
      const { status, path } = await house.told("show", "example");
      const items = ["Socket-4@WI-1", "Socket-5@WI-1", "Socket-6@WI-1"];
      expect({ status, path }).toEqual({
        status: "completed",
        path: ["Socket-1", "Socket-2", "Socket-3", ...items, "Socket-7"],
      });
    });

    test("lead and worker: sends and the end through tools of the graph, a report, a diff", async () => {
      const { graph, message } = teamFor(house);
      const file = house.file("team.json", graph);
      const args = [file, "--message", `lead=${message}`, "--run-id", "team"];
      const done = await house.told("run", ...args, ...ALLOWING);
      expect(done).toMatchObject({
        status: "completed",
        state: { goal: { ok: true, summary: "It is built." } },
      });
      expect(done.turns.map(({ node, status }) => [node, status])).toEqual([
        ...[
          ["lead", "completed"],
          ["worker", "completed"],
          ["lead", "completed"],
        ],
      ]);
      expect(done.deliveries).toMatchObject([
        { from: "lead", to: "worker", type: "handoff", message: expect.stringContaining("Build it.") },
        { from: "worker", to: "lead", type: "report", artifacts: [{ kind: "diff" }] },
      ]);
      expect(house.read("built.txt")).toBe("built\n");
    });

    test("the agent is killed in the middle of a turn, which is taken again; then a cancel cuts the model off", async () => {
      const file = house.file("slow.json", row([SLOW], [{ ...SLOW, text: "un deux trois quatre cinq six" }]));
      const first = house.sit("run", file, ...ASKING, "--run-id", "slow");
      await first.until("one t");
      house.killAgent("slow");
      await first.until("un d");
      const { aborted } = house.stand.model;
      expect(await house.told("cancel", "slow")).toMatchObject({ status: "cancelled" });
      await first.ended;
      await expect.poll(() => house.stand.model.aborted - aborted, { timeout: 5000 }).toBeGreaterThan(0);
      const events = await house.events("slow");
      expect(recorded(events)).toEqual([1]);
      expect(events).toContainEqual(expect.objectContaining({ type: "task.failed" }));
    });

    test("Baton is killed in the middle of a turn, and again while a question is open: nothing is done twice", async () => {
      const second = [SLOW, house.write("late.txt", "late\n"), { text: "Written at last." }];
      const slowWrite = [{ ...second[1], ...SLOW }, second[2] as Step];
      const file = house.file("death.json", row([{ text: "The first is done." }], slowWrite));
      const first = house.sit("run", file, ...ASKING, "--run-id", "death");
      await first.until("one t");
      house.killDriver("death");
      await first.ended;
      const asked = askedFor("The first is done.");
      const again = house.sit("resume", "death", ...ASKING.slice(2));
      await again.until("[l]ater");
      house.killDriver("death");
      await again.ended;
      expect(house.has("late.txt")).toBe(false);
      const done = await house.told("approve", "death", ...ASKING.slice(2));
      expect(done).toMatchObject({ status: "completed", path: ["Socket-1", "Socket-2"] });
      expect(house.read("late.txt")).toBe("late\n");
      expect(recorded(await house.events("death"))).toEqual([1, 1]);
      expect(askedFor("The first is done.")).toBe(asked);
    });
  });
}
