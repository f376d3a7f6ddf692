/** The hash of a state: two states have the same one when every further event would do the same to both. */

import { canonical, type Json } from "../../base/json.ts";
import { sha256 } from "../../engines/local.ts";
import { archiveState } from "../../kernel/archive.ts";
import type { RunState } from "../../kernel/state.ts";

/** `sha256:` and 64 hex digits. The id of the run and its sequence number are no part of it. */
export function stateHash(state: RunState): string {
  return archiveHash(JSON.parse(JSON.stringify(archiveState(state))) as Json); // printing drops what is absent
}

/** The hash of a state that was archived before. */
export function archiveHash(archive: Json): string {
  return sha256(canonical(archive));
}
