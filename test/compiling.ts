/** Compiles what the documentation shows, with the doors under their public names. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const TSC = `${ROOT}node_modules/typescript/bin/tsc`;

/** What the compiler says is wrong with the files of a folder below the root; `lax` says what is no mistake there. */
export function mistakesIn(folder: string, lax: Readonly<Record<string, boolean>>): readonly string[] {
  const paths = { batonjs: [`${ROOT}src/index.ts`], "batonjs/*": [`${ROOT}src/*.ts`] };
  const compilerOptions = { ...lax, paths, rootDir: ROOT, moduleDetection: "force" };
  const config = { extends: `${ROOT}tsconfig.json`, compilerOptions, include: ["*.ts"] };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config));
  try {
    execFileSync(process.execPath, [TSC, "-p", folder], { encoding: "utf8" });
    return [];
  } catch (error) {
    const { stdout } = error as { readonly stdout: string };
    if (!stdout.includes("error TS")) throw error; // the compiler did not get to an answer
    return stdout.split("\n").filter((line) => /error TS/.test(line) && !line.startsWith("src/"));
  }
}
