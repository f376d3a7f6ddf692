/** Kept places are where a person put the nodes of a graph whose file has no room for that: the browser remembers them. */

import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useReducer } from "react";
import { api } from "../../model/api.ts";
import { isJsonObject } from "../../model/baton.ts";
import { parsed } from "../text/held.ts";
import { type Places, placesIn, rounded } from "./places.ts";

export interface KeptPlaces {
  readonly places: Places;
  readonly keep: (places: Places) => void;
  /** What lay under one name lies under another one too. */
  readonly follow: (from: string, to: string) => void;
  /** Lets everything be laid out again. */
  readonly forget: () => void;
}

const NONE: Places = new Map();
const known: Map<string, Places> = new Map();

/** The kept places of a definition of this project. */
export function useKeptPlaces(path: string): KeptPlaces {
  const { data } = useQuery({ queryKey: ["project"], queryFn: api.project, staleTime: 60_000 });
  const key = `baton.places ${data?.folder ?? ""} ${path}`;
  const [version, renew] = useReducer((count: number) => count + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says that there is something new to read
  const places = useMemo(() => read(key), [key, version]);
  const write = useCallback(
    (after: Places) => {
      known.set(key, after);
      store(key, after);
      renew();
    },
    [key],
  );
  return {
    places,
    keep: (more) => write(new Map([...places, ...rounded(more)])),
    follow: (from, to) => {
      const at = places.get(from);
      if (at !== undefined) write(new Map([...places, [to, at]]));
    },
    forget: () => write(NONE),
  };
}

function read(key: string): Places {
  const held = known.get(key) ?? stored(key);
  known.set(key, held);
  return held;
}

/** Whatever stands there: it was written by another page, or by hand. */
function stored(key: string): Places {
  const json = parsed(localStorage.getItem(key) ?? "");
  return isJsonObject(json) ? placesIn(json) : NONE;
}

/** A browser that keeps nothing keeps it as long as the page is open. */
function store(key: string, places: Places): void {
  try {
    if (places.size === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(Object.fromEntries(places)));
  } catch {
    // It stays in `known`.
  }
}
