/** Rules of loadouts that no other scenario follows by itself, each named by its section. */
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { capture, renderRework } from "../../src/dialects/loadout/rework.ts";
import type { Rework } from "../../src/dialects/loadout/scope.ts";
import { items, no, notes, Stage, workshop, yes } from "./loadout-stage.ts";

const agent = { prompt: "Work.", tools: "none" };

test("§4: a utility that breaks its contract fails the run and is not asked again", async () => {
  const loadout = {
    entry: "Socket-1",
    sockets: { "Socket-1": { materia: "U", parse: "json", edges: [{ when: "satisfied", to: "end" }] } },
    materia: { U: { type: "utility", command: ["judge"] } },
  };
  const stage = new Stage({ loadout, programs: { judge: () => ({ satisfied: "yes" }) } });
  const end = await stage.play();
  expect(end).toMatchObject({ status: "failed", reason: "handoff_invalid" });
  expect(stage.commands).toHaveLength(1);
});

test("§5: the edge onto which an item advances is not counted for the next one", async () => {
  const sockets: Record<string, Json> = {
    "Socket-1": { materia: "G", edges: [{ when: "always", to: "Socket-2" }] },
    "Socket-2": {
      materia: "A",
      parse: "json",
      advance: { cursor: "c", items: "state.workItems", when: "satisfied" },
      edges: [{ when: "always", to: "Socket-2", maxTraversals: 1 }],
    },
  };
  const loops = { work: { sockets: ["Socket-2"], consumes: { from: "Socket-1" } } };
  const loadout = {
    entry: "Socket-1",
    sockets,
    loops,
    materia: { G: { ...agent, generator: true }, A: agent },
  };
  const script = { "Socket-1": [items(3)], "Socket-2": [yes, yes, no("Again."), yes] };
  const end = await new Stage({ loadout, script }).play();
  expect(end).toMatchObject({ status: "completed" });
  expect(end.path).toEqual(["Socket-1", "Socket-2@WI-1", "Socket-2@WI-2", "Socket-2@WI-3", "Socket-2@WI-3"]);
});

describe("§7: open rework", () => {
  const entry = (reason: string): Rework => ({
    from: "Socket-3",
    label: "Eval",
    condition: "not_satisfied",
    reason,
  });

  test("keeps and shows the last five entries, oldest first", () => {
    let scope: JsonObject = {};
    for (const reason of ["a", "b", "c", "d", "e", "f", "g"]) {
      scope = { "rework:Socket-2": capture(scope, "Socket-2", entry(reason)) as unknown as Json };
    }
    const kept = scope["rework:Socket-2"] as unknown as readonly Rework[];
    expect(kept.map(({ reason }) => reason)).toEqual(["c", "d", "e", "f", "g"]);
    expect(renderRework(kept)?.split("\n").at(-1)).toBe("- Eval (Socket-3): g");
  });

  test("shows at most 2,400 characters, the newest first to have room", () => {
    const shown = renderRework(["x", "y", "z"].map((letter) => entry(letter.repeat(900)))) ?? "";
    expect(shown.length).toBeLessThanOrEqual(2400);
    expect(shown).toContain("z".repeat(900));
    expect(shown).toContain("y".repeat(900));
    expect(shown).not.toContain("x".repeat(900));
  });
});

test("§8: what a repair sends is an artifact of its own, beside the prompt that it repeats", async () => {
  const script = { "Socket-1": ["not JSON", items(0)] };
  const stage = new Stage({ loadout: workshop(), script });
  const end = await stage.play();
  const refs = notes(end, "turn").map(({ prompt }) => String(prompt));
  const [first, second] = await Promise.all(refs.map((ref) => stage.journal.text(ref)));
  expect(second?.startsWith(first ?? "?")).toBe(true);
  expect(second).toContain("## Correction");
  expect(stage.prompts.map(({ prompt }) => prompt)).toEqual([first, second]);
});

describe("§11: what comes with Baton", () => {
  const programs = {
    "Ignore-Artifacts": () => ({ state: { artifactIgnore: { added: [] } } }),
    "Detect-VCS": () => ({ state: { vcs: { kind: "none" } } }),
  };
  const work = { Build: ["built"], "Auto-Eval": [yes], Maintain: [yes], Narrate: ["told"] };
  const rounds = ["Socket-5@WI-1", "Socket-6@WI-1", "Socket-7@WI-1", "Socket-8"];

  test("Full-Auto plans, sharpens the plan, builds, judges, records and reports", async () => {
    const script = { ...work, "Auto-Plan": [items(2)], "Auto-Architect": [items(1)] };
    const end = await new Stage({ loadout: { activeLoadout: "Full-Auto" }, script, programs }).play();
    expect(end).toMatchObject({ status: "completed", warnings: [] });
    expect(end.path).toEqual(["Socket-1", "Socket-2", "Socket-3", "Socket-4", ...rounds]);
  });

  test("Planning-Consult builds nothing before a person agrees to the plan", async () => {
    const script = { ...work, "Auto-Plan": [items(2), items(1)] };
    const stage = new Stage({ loadout: { activeLoadout: "Planning-Consult" }, script, programs });
    expect(await stage.play()).toMatchObject({
      status: "waiting",
      path: ["Socket-1", "Socket-2", "Socket-3", "Socket-4"],
    });
    const again = await stage.answer({ approved: false, reason: "One item will do." });
    expect(again.status).toBe("waiting");
    expect(stage.prompts.at(-1)?.prompt).toContain("One item will do.");
    const end = await stage.answer({ approved: true });
    expect(end).toMatchObject({ status: "completed" });
    expect(end.path.slice(-4)).toEqual(rounds);
  });
});
