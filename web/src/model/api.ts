/** The page's client of its studio, which also knows whether the studio is there. */

import { createClient, StudioError } from "./baton.ts";
import { Store } from "./store.ts";

export type Connection = "connecting" | "open" | "lost" | "refused";

export const connection: Store<Connection> = new Store<Connection>("connecting");

/** Asks, and takes note of whether somebody answered. */
async function watched(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, init);
    connection.set(response.status === 401 ? "refused" : "open");
    return response;
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    connection.set("lost");
    throw new StudioError(503, { code: "unreachable", message: "The studio cannot be reached." });
  }
}

export const api = createClient({ baseUrl: "", fetch: watched });

/** Waits, or ends when the signal does. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
