/**
 * The caller of a graph's run is gone by the time of a replay: logs do not keep what it passed as `context` and
 * `configurable`. Whoever knows says so; else each look at it is told as a gap.
 */

import type { RunId } from "../../base/names.ts";
import type { PathConfig } from "../../dialects/graph/config.ts";

/** What the caller of a run passed to its nodes, as far as somebody knows it. */
export interface Caller {
  readonly configurable?: Readonly<Record<string, unknown>>;
  readonly context?: unknown;
}

export interface GoneCaller {
  /** The thread of the call. */
  readonly run: RunId;
  readonly known: Caller;
  /** Told of each look at what nobody knows, as the end of "The log does not keep …". */
  readonly onLook: (what: string) => void;
}

/** What nodes and paths are given in the caller's place. */
export function goneCaller({ run, known, onLook }: GoneCaller): PathConfig {
  const { configurable } = known;
  const caller = {
    configurable: configurable === undefined ? watched(run, onLook) : { ...configurable, thread_id: run },
  };
  const isKnown = Object.hasOwn(known, "context");
  return Object.defineProperty(caller, "context", {
    get() {
      if (!isKnown) onLook("what its caller passed as context");
      return known.context;
    },
    enumerable: false, // a sub-graph gets a copy of the rest, and copying is no look
  }) as typeof caller & { readonly context: unknown };
}

/** The thread is known in any case. */
function watched(run: RunId, onLook: GoneCaller["onLook"]): Readonly<Record<string, unknown>> {
  const look = (key: string | symbol): void => {
    if (key !== "thread_id") onLook("what its caller passed as configurable");
  };
  return new Proxy<Record<string, unknown>>(
    { thread_id: run },
    {
      get: (held, key) => {
        look(key);
        return Reflect.get(held, key) as unknown;
      },
      has: (held, key) => {
        look(key);
        return Reflect.has(held, key);
      },
    },
  );
}
