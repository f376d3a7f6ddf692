/** Parts are a loadout with everything around it that it may refer to. */

import type { JsonObject } from "../../base/json.ts";
import type { Config } from "./definition.ts";

/** Nothing in it has been checked. */
export interface Parts {
  readonly name: string;
  readonly loadout: JsonObject;
  /** The JSON pointer to it in the file, and whether it stands there at all. */
  readonly at: string;
  readonly isInFile: boolean;
  readonly materia: JsonObject;
  /** Where the file defines each of its own materia. */
  readonly materiaAt: ReadonlyMap<string, string>;
  readonly loadouts: JsonObject;
  readonly around: Pick<Config, "budget" | "limits">;
}
