/** The rows of the timeline: a bar for each visit, and a heading where the work turns to another item. */

import { type Inside, insideOf } from "../../../model/inside-tree.ts";
import type { Moment } from "../../../model/moment.ts";
import type { Visit } from "../../../model/visits.ts";

export type Row = ItemRow | BarRow;

export interface ItemRow {
  readonly kind: "item";
  readonly key: string;
  readonly depth: number;
  readonly item: string;
  readonly title: string | undefined;
}

export interface BarRow {
  readonly kind: "bar";
  readonly key: string;
  readonly visit: Visit;
  readonly label: string;
  /** The node, with those around it in front. */
  readonly path: string;
  /** What it is unfolded by; nothing where it has nothing inside. */
  readonly unfoldsBy: string | undefined;
  /** How many runs it lies inside of. */
  readonly depth: number;
  /** Parts of the whole, from 0 to 1. */
  readonly from: number;
  readonly width: number;
}

export type Scale = "time" | "events";

export interface Told {
  readonly run: string;
  readonly moment: Moment;
  /** Until when what has not settled lasts, in milliseconds since 1970 UTC. */
  readonly at: number;
  readonly insides: readonly Inside[];
  /** The runs inside of this one, at any depth. */
  readonly runs: readonly string[];
  /** What people call each node. */
  readonly labels: ReadonlyMap<string, string>;
}

type Span = Pick<BarRow, "from" | "width">;

/** A run whose visits are told, and where they stand. */
interface Level {
  readonly run: string;
  readonly visits: readonly Visit[];
  readonly labels: ReadonlyMap<string, string>;
  /** In front of the nodes. */
  readonly path: string;
  readonly plain: string;
  readonly depth: number;
  readonly place: (visit: Visit) => Span;
}

export function rowsOf({ run, moment, at, insides, runs, labels }: Told, scale: Scale): readonly Row[] {
  const { visits, seq, startedAt } = moment;
  const time = Math.max(1, at - startedAt);
  const byTime = ({ openedAt, settledAt = at }: Visit): Span => {
    return { from: (openedAt - startedAt) / time, width: Math.max(0, settledAt - openedAt) / time };
  };
  const count = Math.max(1, seq - 1);
  const byEvents = ({ seq: opened, settledAt, lastSeq }: Visit): Span => {
    const to = settledAt === undefined ? seq : lastSeq;
    return { from: (opened - 1) / count, width: (to - opened) / count };
  };
  const rows: Row[] = [];
  const tell = (level: Level): void => {
    let item: string | undefined;
    for (const visit of level.visits) {
      const { task, node, title } = visit;
      const outer = `${level.run}/${task}`;
      const started = insideOf(outer, runs);
      const hasLanes = started.some(({ key }) => key !== ""); // which have the headings
      if (visit.item !== item && visit.item !== undefined && !hasLanes) {
        rows.push({ kind: "item", key: `item ${outer}`, depth: level.depth, item: visit.item, title });
      }
      item = visit.item;
      const span = level.place(visit);
      const unfoldsBy = started.length > 0 ? level.plain + node : undefined;
      const { path, depth } = level;
      const label = level.labels.get(node) ?? node;
      rows.push({ kind: "bar", key: outer, visit, label, path: path + node, unfoldsBy, depth, ...span });
      for (const inside of insides) {
        if (inside.outer !== outer) continue;
        tell({
          ...{ run: inside.run, visits: inside.moment.visits, labels: inside.labels },
          ...{ path: `${inside.path}/`, plain: `${inside.plain}/`, depth: depth + 1 },
          // By events, what is inside lies as the visit does: it has numbers of its own.
          place: scale === "time" ? byTime : () => span,
        });
      }
    }
  };
  const place = scale === "time" ? byTime : byEvents;
  tell({ run, visits, labels, path: "", plain: "", depth: 0, place });
  return rows;
}
