/** An invariant is a law that every run of a loadout keeps; a run that breaks it says how, in one sentence. */

import { messageOf } from "../../../base/failure.ts";
import type { Walk, WalkVisit } from "./walk.ts";

export interface Invariant {
  readonly name: string;
  /** How a walk breaks it; nothing when it does not. It must depend on the walk alone. */
  readonly broken: (walk: Walk) => string | undefined;
}

/**
 * What a module may export under a name of its own choosing: a function over a walk. A sentence or `false` says that
 * the walk breaks the law; everything else that it does not.
 *
 * @example
 * export const endsWithReport: WalkLaw = ({ path, end }) =>
 *   end.kind !== "completed" || path.at(-1) === "Socket-8" || "The run ended without its report.";
 */
export type WalkLaw = (walk: Walk) => string | boolean | undefined;

/** The invariant of a function that an author wrote; one that throws is broken, and says with what. */
export function lawOf(name: string, law: WalkLaw): Invariant {
  return {
    name,
    broken(walk) {
      try {
        const said: unknown = law(walk); // whatever the author's module answers
        if (typeof said === "string") return said;
        if (said instanceof Promise) return `${name} answers with a promise; a law has to answer at once.`;
        return said === false ? `${name} does not hold.` : undefined;
      } catch (error) {
        return `${name} threw: ${messageOf(error)}`;
      }
    },
  };
}

/** The scope of a count or of an order: the whole run, or each work item for itself. */
export type Per = "run" | "item";

/** The visits that belong together; those outside of loops belong to no item. */
export function scopesOf({ visits }: Walk, per: Per): WalkVisit[][] {
  if (per === "run") return [[...visits]];
  const scopes = new Map<string, WalkVisit[]>();
  for (const visit of visits) {
    if (visit.itemId === undefined) continue;
    const scope = scopes.get(visit.itemId);
    if (scope === undefined) scopes.set(visit.itemId, [visit]);
    else scope.push(visit);
  }
  return [...scopes.values()];
}
