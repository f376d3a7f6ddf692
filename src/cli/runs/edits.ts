/** Edits as people write them: `topic=bees`, `state.workItems.0.title=Better`, one flag for each. */

import type { Edit } from "../../history/fork/edit.ts";
import type { Plan } from "../../kernel/plan.ts";
import { Misuse } from "../misuse.ts";
import { jsonOrText } from "./inputs.ts";

/** The channel that a name stands in when it is no channel itself. */
const STATE = "state";

/** Reads edits. A first key that is no channel of the run is one of its state, where it has such a channel. */
export function editsFrom(flags: readonly string[], { channels }: Plan): readonly Edit[] {
  return flags.map((flag) => {
    const at = flag.indexOf("=");
    if (at < 1) throw new Misuse("usage", `--edit ${flag} is not KEY=VALUE, such as --edit topic=bees.`);
    const keys = flag.slice(0, at).split(".");
    const value = jsonOrText(flag.slice(at + 1));
    const isChannel = Object.hasOwn(channels, keys[0] ?? "");
    const [channel = "", ...path] = isChannel || !Object.hasOwn(channels, STATE) ? keys : [STATE, ...keys];
    return { channel, path, value };
  });
}
