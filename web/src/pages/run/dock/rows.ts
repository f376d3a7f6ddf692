/** The rows of the timeline: a bar for each visit, and a heading where the work turns to another item. */

import type { Inside } from "../../../model/inside.ts";
import type { Moment } from "../../../model/moment.ts";
import type { Visit } from "../../../model/visits.ts";

export type Row =
  | { readonly kind: "item"; readonly key: string; readonly item: string; readonly title: string | undefined }
  | {
      readonly kind: "bar";
      readonly key: string;
      readonly visit: Visit;
      /** The node, with those around it in front. */
      readonly path: string;
      /** How many runs it lies inside of. */
      readonly depth: number;
      /** Parts of the whole, from 0 to 1. */
      readonly from: number;
      readonly width: number;
    };

export type Scale = "time" | "events";

interface Log {
  readonly run: string;
  readonly moment: Moment;
  readonly insides: readonly Inside[];
}

export function rowsOf({ run, moment, insides }: Log, scale: Scale): readonly Row[] {
  const { visits, seq, at, startedAt } = moment;
  const whole = Math.max(1, scale === "time" ? at - startedAt : seq - 1);
  const place = (visit: Visit): readonly [number, number] => {
    if (scale === "events") return [visit.seq - 1, (visit.settledAt === undefined ? seq : visit.lastSeq) - 1];
    return [visit.openedAt - startedAt, (visit.settledAt ?? at) - startedAt];
  };
  const rows: Row[] = [];
  let item: string | undefined;
  for (const visit of visits) {
    if (visit.item !== item && visit.item !== undefined) {
      rows.push({ kind: "item", key: `item ${visit.task}`, item: visit.item, title: visit.title });
    }
    item = visit.item;
    const [begin, end] = place(visit);
    const span = { from: begin / whole, width: (end - begin) / whole };
    rows.push({ kind: "bar", key: visit.task, visit, path: visit.node, depth: 0, ...span });
    const within = { insides, outer: `${run}/${visit.task}`, depth: 1 };
    const timed = { at, startedAt, whole: scale === "time" ? whole : undefined, span };
    rows.push(...rowsWithin(within, timed));
  }
  return rows;
}

interface Within {
  readonly insides: readonly Inside[];
  /** The run whose visits are wanted. */
  readonly outer: string;
  readonly depth: number;
}

interface Timed {
  readonly at: number;
  readonly startedAt: number;
  /** Undefined where bars are placed by events: those inside have numbers of their own, and lie as the visit does. */
  readonly whole: number | undefined;
  readonly span: { readonly from: number; readonly width: number };
}

/** The visits of the run inside of a visit, and of the runs inside of those. */
function rowsWithin({ insides, outer, depth }: Within, timed: Timed): readonly Row[] {
  const inside = insides.find(({ run }) => run === outer);
  const { at, startedAt, whole } = timed;
  return (inside?.moment.visits ?? []).flatMap((visit): readonly Row[] => {
    const { task, node, openedAt, settledAt = at } = visit;
    const span =
      whole === undefined
        ? timed.span
        : { from: (openedAt - startedAt) / whole, width: Math.max(0, settledAt - openedAt) / whole };
    const path = `${inside?.path}/${node}`;
    const row: Row = { kind: "bar", key: `${outer}/${task}`, visit, path, depth, ...span };
    return [row, ...rowsWithin({ insides, outer: `${outer}/${task}`, depth: depth + 1 }, { ...timed, span })];
  });
}
