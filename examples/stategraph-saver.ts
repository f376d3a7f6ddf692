/** Where the examples keep their threads: in memory, or with `SAVER=sqlite` in a database. */

import { MemorySaver } from "batonjs";
import { SqliteSaver } from "batonjs/sqlite";

export function saver(): MemorySaver | SqliteSaver {
  return process.env["SAVER"] === "sqlite" ? new SqliteSaver(":memory:") : new MemorySaver();
}
