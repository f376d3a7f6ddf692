/** The page's fold of a log: whoever goes back and on again sees what somebody sees who never left. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Event } from "../../src/kernel/event.ts";
import { channelValue } from "../../src/kernel/state.ts";
import { modelOf, undrawn, withTaken } from "../../web/src/model/drawing/model-of.ts";
import { Fold } from "../../web/src/model/fold.ts";

/** The log of the run that a golden bundle is of. */
function golden(name: string): readonly Event[] {
  const lines = readFileSync(new URL(`../golden/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n");
  const rows = lines.map((line) => JSON.parse(line) as Row); // recorded by `write.ts`
  const run = rows[0]?.run;
  return rows.flatMap(({ event }) => (event !== undefined && event.run === run ? [event] : []));
}

interface Row {
  readonly run?: string;
  readonly event?: Event;
}

const LOGS = ["v1-loadout", "v1-inbox", "v1-graph"];

/** Everything that the page shows of a fold. */
function shown(fold: Fold) {
  const channels = Object.keys(fold.state.plan.channels).map((name) => [
    name,
    channelValue(fold.state, name),
  ]);
  return {
    ...{
      seq: fold.seq,
      status: fold.state.status,
      visits: fold.visits.all,
      traffic: [...fold.traffic.counts],
    },
    ...{ channels, change: fold.change, questions: fold.questions.all, nodes: fold.inbox.nodes },
  };
}

describe.each(LOGS)("the fold of %s", (name) => {
  const events = golden(name);
  const run = events[0]?.run ?? "";

  test("is the same event by event as from the beginning, at every moment", () => {
    const walking = new Fold(run);
    for (let seq = 1; seq <= events.length; seq++) {
      walking.upTo(seq, events);
      const fresh = new Fold(run);
      fresh.upTo(seq, events);
      expect(shown(walking)).toEqual(shown(fresh));
    }
  });

  test("counts only edges that the drawing has, and visits every task once", () => {
    const fold = new Fold(run);
    fold.upTo(events.length, events);
    const authored = modelOf(fold.dialect, fold.state.plan.drawing);
    const model = withTaken(authored, undrawn(authored, fold.traffic.counts));
    expect(model.edges.length - authored.edges.length).toBe(name === "v1-graph" ? 1 : 0);
    const drawn = new Set(model.edges.map(({ id }) => id));
    const passed = [...fold.traffic.counts.keys()].filter((id) => !id.endsWith("→__end__"));
    expect(model.nodes.length).toBeGreaterThan(0);
    expect(passed.length).toBeGreaterThan(0);
    expect(passed.filter((id) => !drawn.has(id))).toEqual([]);
    const opened = events.flatMap((event) => (event.type === "step.opened" ? event.tasks : []));
    expect(fold.visits.all.map(({ task }) => task)).toEqual(opened.map(({ task }) => task));
  });
});
