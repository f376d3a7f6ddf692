/** Lists the files of a folder into the state, where the loop of the loadout finds them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const { cwd, params } = JSON.parse(readFileSync(0, "utf8"));
const names = readdirSync(join(cwd, params.folder)).filter((name) => name.endsWith(params.ending));
console.log(JSON.stringify({ state: { files: names.sort() } }));
