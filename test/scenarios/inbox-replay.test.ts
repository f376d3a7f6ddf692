/** Inbox graphs, section 7 of their rules: the log alone gives the same prompts, byte for byte, and the same statuses. */
import { describe, expect, test } from "vitest";
import { random } from "../../src/base/random.ts";
import { inboxOf, NUDGE, readDesk } from "../../src/dialects/inbox/channels.ts";
import type { InboxDefinition } from "../../src/dialects/inbox/definition.ts";
import type { Input } from "../../src/dialects/inbox/envelope.ts";
import { Network } from "../../src/dialects/inbox/network.ts";
import { deltaPrompt, fullPrompt } from "../../src/dialects/inbox/prompt.ts";
import { seatOf } from "../../src/dialects/inbox/seat.ts";
import type { Beginning } from "../../src/dialects/inbox/turn-log.ts";
import type { Event } from "../../src/kernel/event.ts";
import { evolve } from "../../src/kernel/evolve.ts";
import { emptyState, snapshotOf, taskOf } from "../../src/kernel/state.ts";
import { graph, JOURNALS, RUN, Stage, settled, turn, viewOf } from "./inbox-stage.ts";

/** The prompts of each turn as they follow from what the log had before it: the full one and the one that was sent. */
function promptsFrom(events: readonly Event[]): { full: string; sent: string; begun: Beginning }[] {
  const state = emptyState(RUN);
  let definition: InboxDefinition | undefined;
  return events.flatMap((event) => {
    if (event.type === "run.started" || event.type === "plan.amended") {
      definition = (event.definition ?? definition) as unknown as InboxDefinition;
    }
    evolve(state, event);
    if (event.type !== "task.remembered" || !event.key.startsWith("begin:") || definition === undefined)
      return [];
    const begun = event.value as unknown as Beginning;
    const { node, taken } = taskOf(state, event.task);
    const occasion = {
      seat: seatOf(node, definition, new Network(definition)),
      inputs: (taken[inboxOf(node)] ?? []) as unknown as readonly Input[],
      isAutomatic: (taken[NUDGE] ?? []).length > 0,
      undelivered: readDesk(snapshotOf(state), node).undelivered ?? [],
    };
    const full = fullPrompt(occasion);
    return [{ full, sent: begun.form === "full" ? full : deltaPrompt(occasion), begun }];
  });
}

const BUSY = {
  graph: {
    ...graph("a b c", ["lead-a", "lead-b", "a>c", "b>c", "c>lead"]),
    mode: "auto",
    nodes: {
      lead: { kind: "orchestrator", prompt: "Lead." },
      ...Object.fromEntries(["a", "b", "c"].map((id) => [id, { kind: "task" }])),
    },
  },
  script: {
    lead: {
      outputs: [turn("plan", { a: "1", b: "2", nobody: "x" }), ...["1", "2", "3", "4"].map((n) => turn(n))],
    },
    a: [turn("asked", { c: "approved" }, { ask: { title: "May I?", args: {} } })],
    b: [turn("", {}, { fail: "broken" }), turn("mended", { c: "from b", a: "no edge" })],
    c: { outputs: [turn("passed on", { lead: "from c" }), turn("and on", { lead: "again" })] },
  },
};

describe.each(JOURNALS)("on a %s journal", (_name, makeJournal) => {
  test("§7 replay of the log gives byte-identical prompts and statuses, whatever the order in which turns ended", async () => {
    for (let seed = 0; seed < 8; seed++) {
      const draw = random(`replay ${seed}`);
      const before = async () => {
        for (let wait = Math.floor(draw() * 5); wait > 0; wait--) await settled();
      };
      const stage = new Stage({ ...BUSY, journal: makeJournal(), before });
      let standing = await stage.play("lead: ship");
      for (let i = 0; i < 6 && standing.status !== "paused"; i++) {
        if (standing.status === "waiting") await stage.tell({ type: "answer", value: true });
        else await stage.tell({ type: "retry", node: "b" });
        standing = await stage.drive();
      }
      expect(standing.reason).toBe("max_auto_turns");
      const prompts = promptsFrom(standing.events);
      expect(prompts.length).toBeGreaterThan(6);
      expect(new Set(prompts.map(({ begun }) => begun.form))).toEqual(new Set(["full", "delta"]));
      for (const { full, sent, begun } of prompts) {
        expect(await stage.text(begun.full)).toBe(full);
        expect(await stage.text(begun.sent)).toBe(sent);
      }
      expect(await stage.replays()).toBe(true);
      const again = viewOf(await stage.journal.read(RUN, 0));
      expect(again.result).toEqual(standing.view.result);
    }
  });

  test("§7 a prompt has names and contents in it, and neither ids nor numbers of the log nor the state of others", async () => {
    const stage = new Stage({ ...BUSY, journal: makeJournal() });
    const { events } = await stage.play("lead: ship");
    const texts = promptsFrom(events).map(({ full }) => full);
    for (const text of texts) {
      expect(text).not.toMatch(/sha256|\blead\/\d|\d+\/lead|idle|running|blocked|failed/);
    }
  });
});
