/** The outcomes of a socket: what it can say, and where each of that can lead. */

import type { Region } from "./explore.ts";
import type { Frame } from "./frame.ts";
import type { Step } from "./steps.ts";

export interface SocketOutcomes {
  readonly socket: string;
  readonly outcomes: readonly {
    /** `no_items` for a member of a loop that is passed by because its list is empty. */
    readonly said: "satisfied" | "not_satisfied" | "none" | "no_items";
    readonly leads: readonly Lead[];
  }[];
}

export interface Lead {
  /** A socket; `end` when the run is completed, `fail` when a bound or the progress guard fails it. */
  readonly to: string;
  /** The edge by its index, the exit by its id, or that nothing matches. */
  readonly via: { readonly edge: number } | { readonly exit: string | null } | "no_match";
}

/** The outcomes of every socket that was explored, in the order in which a run can come to them. */
export function tableOf(regions: readonly Region[]): readonly SocketOutcomes[] {
  const table = new Map<string, Map<string, Map<string, Lead>>>();
  for (const { frame, ways } of regions.flatMap(({ nodes }) => nodes)) {
    for (const { step } of ways) {
      if (step.isOver) continue; // the machine around the lane has where that leads
      const socket = step.by ?? frame.at.id;
      const rows = table.get(socket) ?? new Map<string, Map<string, Lead>>();
      table.set(socket, rows);
      if (step.to?.at === frame.at && step.to.isVisit && !frame.isVisit) continue; // it has items after all
      const said = frame.isVisit ? nameOf(step.said) : "no_items";
      const leads = rows.get(said) ?? new Map<string, Lead>();
      rows.set(said, leads);
      const key = `${step.to?.at.id}\n${step.end}\n${step.track?.index}\n${step.exit?.id}`;
      if (!leads.has(key)) leads.set(key, leadOf(step, frame));
    }
  }
  return [...table].map(([socket, rows]) => ({
    socket,
    outcomes: [...rows].map(([said, leads]) => ({ said: said as Said, leads: [...leads.values()] })),
  }));
}

type Said = SocketOutcomes["outcomes"][number]["said"];

function nameOf(said: Step["said"]): Said {
  return said === undefined ? "none" : said ? "satisfied" : "not_satisfied";
}

function leadOf({ to, end, track, exit, restarts }: Step, { at, isVisit }: Frame): Lead {
  const isStuck = at.ring?.isLane === true && track === undefined; // a lane has to advance
  const target = to?.at.id ?? (end === "completed" && !isStuck ? "end" : "fail");
  if (track !== undefined) return { to: target, via: { edge: track.index } };
  if (exit !== undefined) return { to: target, via: { exit: exit.id ?? null } };
  const isDone = !isVisit || (at.ring !== undefined && restarts.includes(at.ring));
  return { to: target, via: isDone ? { exit: null } : "no_match" };
}
