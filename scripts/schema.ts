/** Writes what is made of the shapes of loadouts: the JSON Schema for editors, and the reference page. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadoutReference } from "../src/dialects/loadout/reference.ts";
import { loadoutJsonSchema } from "../src/dialects/loadout/schema.ts";
import { lawsJsonSchema } from "../src/dialects/loadout/simulate/laws.ts";

const root = new URL("../", import.meta.url);
const schema = fileURLToPath(new URL("schema/loadout.schema.json", root));
const laws = fileURLToPath(new URL("schema/laws.schema.json", root));
const docs = new URL("docs/loadout/", root);

mkdirSync(docs, { recursive: true });
writeFileSync(schema, `${JSON.stringify(loadoutJsonSchema(), undefined, 2)}\n`);
writeFileSync(laws, `${JSON.stringify(lawsJsonSchema(), undefined, 2)}\n`);
writeFileSync(new URL("reference.md", docs), loadoutReference());

const biome = fileURLToPath(new URL("node_modules/@biomejs/biome/bin/biome", root));
const { status } = spawnSync(process.execPath, [biome, "format", "--write", schema, laws], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
