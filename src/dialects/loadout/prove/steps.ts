/**
 * Steps are what can follow a frame: one for every output of the socket, every end of its items, and every list that
 * may have been written.
 */

import { meets, type Outcome } from "../check/ways.ts";
import { type Counters, type Frame, renewed, type Scope, withScope } from "./frame.ts";
import { exitOf, type Machine, type Ring, type Station, type Track } from "./machine.ts";

export interface Step {
  /** Absent when the run ends or fails. */
  readonly to: Frame | undefined;
  /** Why it ends, when it does. */
  readonly end?: "completed" | "edge_exhausted" | "no_progress";
  /** The cycle that the progress guard stops. */
  readonly cycle?: readonly Station[];
  /** The exit or the edge that it takes. */
  readonly exit?: Ring["exits"][number];
  readonly track?: Track;
  readonly said: Outcome;
  /** The ring whose cursor it moves to the next item, and those that it begins anew. */
  readonly moves?: Ring;
  readonly restarts: readonly Ring[];
  /** True when it ends a lane as it should end. */
  readonly isOver?: boolean;
  /** The member that has advanced last, where the visit is all the lanes of a loop. */
  readonly by?: string;
}

interface Course {
  readonly machine: Machine;
  readonly counters: Counters;
}

/** Everything that can follow a frame. */
export function stepsFrom(frame: Frame, course: Course): Step[] {
  const { at, isVisit, scopes } = frame;
  const { ring } = at;
  if (isVisit && ring !== undefined && at.ends !== undefined) return lanes(frame, ring, course);
  if (isVisit || ring === undefined) return at.outcomes.flatMap((said) => visit(frame, said, course));
  const scope = scopes[ring.scope] as Scope;
  const find = (filled: "yes" | "no"): Frame => ({
    ...{ at, isVisit: filled === "yes", skips: filled === "yes" ? 0 : frame.skips },
    scopes: withScope(scopes, ring.scope, { ...scope, filled }),
  });
  if (scope.filled === "no") return passBy(frame, ring, course);
  if (scope.filled === "yes") return [plain(find("yes"))];
  return [plain(find("yes")), ...passBy(find("no"), ring, course)];
}

function plain(to: Frame): Step {
  return { to, said: undefined, restarts: [] };
}

/** A loop without items is left by the exit of its advancing member. */
function passBy(frame: Frame, ring: Ring, course: Course): Step[] {
  const skips = frame.skips + 1;
  if (skips > course.machine.rings.length) {
    return [{ to: undefined, end: "no_progress", said: undefined, restarts: [] }];
  }
  const scopes = withScope(frame.scopes, ring.scope, renewed(frame.scopes[ring.scope] as Scope));
  return [leave({ from: frame.at, scopes, skips, said: undefined, restarts: [] }, ring, course)];
}

/** What a visit has come to before it is routed. */
interface Leaving {
  readonly from: Station;
  readonly scopes: readonly Scope[];
  readonly skips: number;
  readonly said: Outcome;
  readonly restarts: readonly Ring[];
  readonly moves?: Ring;
}

/** All lanes of a parallel loop: it is left as the last of them was. */
function lanes({ at, scopes }: Frame, ring: Ring, course: Course): Step[] {
  return writings(at, scopes).flatMap((written) =>
    (at.ends ?? []).map(({ from, said }): Step => {
      const after = withScope(written.scopes, ring.scope, renewed(written.scopes[ring.scope] as Scope));
      const restarts = [...written.restarts, ring];
      const leaving: Leaving = { from: at, scopes: after, skips: 0, said, restarts };
      return { ...leave(leaving, ring, course, from), by: from };
    }),
  );
}

function visit({ at, scopes }: Frame, said: Outcome, course: Course): Step[] {
  return writings(at, scopes).flatMap((written): Step[] => {
    const leaving: Leaving = { from: at, skips: 0, said, ...written };
    const { ring, advances } = at;
    if (ring === undefined || advances === undefined || !meets(advances, said)) {
      return [route(leaving, leaving.scopes, course)];
    }
    if (ring.isLane) return [{ to: undefined, end: "completed", said, restarts: [], isOver: true }];
    const before = leaving.scopes;
    const after = withScope(before, ring.scope, renewed(before[ring.scope] as Scope));
    const over: Leaving = { ...leaving, scopes: after, restarts: [...leaving.restarts, ring] };
    return [
      route({ ...leaving, scopes: after, moves: ring }, before, course),
      leave(over, ring, course, at.id),
    ];
  });
}

/** What the lists can be after the writes of a visit, each case with the rings that begin anew. */
function writings(at: Station, scopes: readonly Scope[]): Pick<Leaving, "scopes" | "restarts">[] {
  let own = scopes;
  if (at.writesOwn && at.ring !== undefined) {
    own = withScope(own, at.ring.scope, { ...(own[at.ring.scope] as Scope), filled: "unknown" });
  }
  let cases = [{ scopes: restarted(own, at.restarts), restarts: at.restarts }];
  for (const ring of at.mayRestart) {
    cases = cases.flatMap((one) => [
      one,
      { scopes: restarted(one.scopes, [ring]), restarts: [...one.restarts, ring] },
    ]);
  }
  return cases;
}

function restarted(scopes: readonly Scope[], rings: readonly Ring[]): readonly Scope[] {
  return rings.reduce(
    (all, { scope }) => withScope(all, scope, renewed(all[scope] as Scope, "unknown")),
    scopes,
  );
}

/** Takes the first edge that matches, with the counters from before the cursor moved. */
function route(leaving: Leaving, before: readonly Scope[], course: Course): Step {
  const { from, said, restarts, moves } = leaving;
  const told = { said, restarts, ...(moves && { moves }) };
  const track = from.tracks.find(({ when }) => meets(when, said));
  if (track === undefined) return { to: undefined, end: "completed", ...told };
  const scope = from.ring?.scope ?? 0;
  const counter = course.counters[scope]?.indexOf(track) ?? -1;
  const passes = before[scope]?.passes[counter] ?? 0;
  if (track.most !== undefined && passes >= track.most) {
    return { to: undefined, end: "edge_exhausted", track, ...told };
  }
  const counted = moves === undefined && counter !== -1;
  const scopes = counted ? passed(leaving.scopes, scope, counter) : leaving.scopes;
  return { ...enter({ ...leaving, scopes }, track.to, course, track), track };
}

function passed(scopes: readonly Scope[], place: number, counter: number): readonly Scope[] {
  const scope = scopes[place] as Scope;
  const passes = scope.passes.with(counter, (scope.passes[counter] ?? 0) + 1);
  return withScope(scopes, place, { ...scope, passes });
}

/** Takes the exit of a ring whose items are done. */
function leave(
  leaving: Leaving,
  ring: Ring,
  course: Course,
  asked: string | undefined = ring.advancer,
): Step {
  const exit = exitOf(ring, asked, leaving.said);
  const to = course.machine.stations.find(({ id }) => id === exit?.target);
  return { ...enter(leaving, to, course), ...(exit && { exit }) };
}

/** Enters a socket for its item, unless that closes one cycle too many. */
function enter(leaving: Leaving, to: Station | undefined, { machine }: Course, track?: Track): Step {
  const { from, skips, said, restarts, moves } = leaving;
  const told = { said, restarts, ...(moves && { moves }) };
  if (to === undefined) return { to: undefined, end: "completed", ...told };
  const frame = (scopes: readonly Scope[]): Frame => {
    const isVisit = to.ring === undefined || scopes[to.ring.scope]?.filled === "yes";
    return { at: to, isVisit, skips: isVisit ? 0 : skips, scopes };
  };
  if (to.ring === undefined) return { to: frame(leaving.scopes), ...told };
  const place = to.ring.scope;
  const scope = leaving.scopes[place] as Scope;
  const stays = moves === undefined && !restarts.includes(to.ring);
  const isFirst = track !== undefined && from.ring === to.ring && stays && scope.trail.length === 0;
  const trail = isFirst ? [from] : scope.trail;
  const known = trail.indexOf(to);
  const next = (changes: Partial<Scope>): Step => ({
    to: frame(withScope(leaving.scopes, place, { ...scope, ...changes })),
    ...told,
  });
  if (known === -1) return next({ trail: [...trail, to] });
  if (track?.most !== undefined) return next({ trail: trail.slice(0, known + 1) });
  const cycles = scope.cycles + 1;
  if (cycles <= machine.guard) return next({ trail: trail.slice(0, known + 1), cycles });
  return { to: undefined, end: "no_progress", cycle: [...trail.slice(known), to], ...told };
}
