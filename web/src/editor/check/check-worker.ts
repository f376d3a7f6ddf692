/** Checks and proves loadouts beside the page, so that typing never waits for a proof. */

import {
  checkInbox,
  checkLoadout,
  type InboxCheck,
  isInbox,
  type Json,
  type LoadoutCheck,
} from "../../model/baton.ts";

export interface CheckRequest {
  readonly number: number;
  readonly json: Json;
  readonly name: string | undefined;
  readonly below: readonly Json[];
}

export interface CheckAnswer {
  readonly number: number;
  readonly check: LoadoutCheck | InboxCheck;
}

/** What a worker's own scope is, in the words of a page. */
const scope = self as unknown as Pick<Worker, "postMessage" | "addEventListener">;

scope.addEventListener("message", ({ data }: MessageEvent<CheckRequest>) => {
  const { number, json, name, below } = data;
  const check = isInbox(json)
    ? checkInbox(json)
    : checkLoadout(json, { below, ...(name !== undefined && { name }) });
  scope.postMessage({ number, check } satisfies CheckAnswer);
});
