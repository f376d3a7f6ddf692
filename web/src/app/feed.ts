/**
 * The feed keeps every list of the page up with the studio.
 *
 * 1. Of all tabs one follows it; the others hear from that one, also whether the studio is there.
 */

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, type Connection, connection, pause } from "../model/api.ts";
import { alone } from "../model/streams.ts";

/** Changes that come in at once are read at once, this many milliseconds later. */
const GATHER = 150;

/** In milliseconds: how long to wait when the studio does not know this page. */
const AGAIN = 2000;

export function useFeed(): void {
  const client = useQueryClient();
  useEffect(() => {
    const closing = new AbortController();
    const fresh = new Freshener(client);
    const others = new BroadcastChannel("baton.feed");
    others.onmessage = ({ data }: MessageEvent<Heard>) => {
      if (data.kind === "run") fresh.add(data.run);
      else connection.set(data.state);
    };
    void alone("feed", closing.signal, () => follow(fresh, others, closing.signal)); // (1)
    let before = connection.get();
    const stop = connection.subscribe(() => {
      const now = connection.get();
      if (now === "open" && (before === "lost" || before === "refused")) fresh.all();
      before = now;
    });
    return () => {
      closing.abort();
      others.close();
      stop();
    };
  }, [client]);
}

/** What the tab that follows the feed tells the others. */
type Heard =
  | { readonly kind: "run"; readonly run: string }
  | { readonly kind: "connection"; readonly state: Connection };

async function follow(fresh: Freshener, others: BroadcastChannel, signal: AbortSignal): Promise<void> {
  const tell = (heard: Heard) => {
    if (!signal.aborted) others.postMessage(heard);
  };
  const stop = connection.subscribe(() => tell({ kind: "connection", state: connection.get() }));
  signal.addEventListener("abort", stop);
  while (!signal.aborted) {
    try {
      for await (const message of api.feed({ signal })) {
        const run = message.type === "gone" ? message.run : message.line.run;
        fresh.add(run);
        tell({ kind: "run", run });
      }
    } catch {
      // It was refused, and `connection` says so; somebody may open the page with a token meanwhile.
    }
    await pause(AGAIN, signal);
  }
}

/** Has what changed read again, a little later and together. */
class Freshener {
  readonly #client: QueryClient;
  readonly #runs: Set<string> = new Set();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  add(run: string): void {
    this.#runs.add(run);
    this.#timer ??= setTimeout(() => this.#read(), GATHER);
  }

  all(): void {
    for (const name of ["runs", "run", "questions", "project"]) {
      void this.#client.invalidateQueries({ queryKey: [name] });
    }
  }

  #read(): void {
    this.#timer = undefined;
    for (const run of this.#runs) void this.#client.invalidateQueries({ queryKey: ["run", run] });
    this.#runs.clear();
    void this.#client.invalidateQueries({ queryKey: ["runs"] });
    void this.#client.invalidateQueries({ queryKey: ["questions"] });
  }
}
