/** The package as its users get it: packed, unpacked into an empty folder beside nothing else, and used there. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const tsc = join(modules, "typescript", "bin", "tsc");
const vite = join(modules, "vite", "bin", "vite.js");
const web = join(root, "web");
const home = mkdtempSync(join(tmpdir(), "baton-package-"));
const installed = join(home, "node_modules", manifest.name);
const doors = Object.keys(manifest.exports).map((path) => path.replace(".", manifest.name));
const shipped = ["package.json", "README.md", "LICENSE", ...manifest.files.filter((name) => name !== "dist")];
const readme = join(root, "README.md");

// Packed from a copy with its own build: the dist of the checkout may be in use meanwhile.
beforeAll(() => {
  const copy = join(home, "copy");
  for (const name of shipped) {
    if (existsSync(join(root, name))) cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  run(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", join(copy, "dist")], root);
  run(process.execPath, [vite, "build", "--outDir", join(copy, "dist", "web"), "--logLevel", "error"], web);
  run("npm", ["pack", "--ignore-scripts", "--pack-destination", home], copy);
  const tarball = `${manifest.name}-${manifest.version}.tgz`;
  mkdirSync(installed, { recursive: true });
  run("tar", ["-xzf", tarball, "--strip-components=1", "-C", installed], home);
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

test("it holds what users need and nothing else", () => {
  const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
  expect(files).toEqual(
    expect.arrayContaining([
      "LICENSE",
      "package.json",
      join("bin", "baton.js"),
      join("dist", "web", "index.html"),
    ]),
  );
  expect(files.filter((name) => /\.test\.|(^|[^d])\.ts$|\.map$/.test(name))).toEqual([]);
  const top = ["LICENSE", "README.md", "bin", "dist", "examples", "package.json", "schema"];
  expect(readdirSync(installed).filter((name) => !top.includes(name))).toEqual([]);
});

describe("the doors", () => {
  /** Those that stand on another package, and on which: an optional peer, or what comes along with this one. */
  const leaves: Readonly<Record<string, string>> = {
    [`${manifest.name}/acp`]: "@agentclientprotocol/sdk",
    [`${manifest.name}/model`]: "ai",
    [`${manifest.name}/mcp`]: "@modelcontextprotocol/sdk",
    [`${manifest.name}/otel`]: "@opentelemetry/api",
    [`${manifest.name}/server`]: "hono",
  };

  // No other package lies beside this one, so a door that loads one fails here.
  test.each(doors.filter((door) => !door.endsWith(".json") && !Object.hasOwn(leaves, door)))(
    "%s opens without any other package",
    (door) => {
      const names = runText(`console.log(Object.keys(await import("${door}")).join())`);
      expect(names.trim()).not.toBe("");
    },
  );

  test.each(Object.entries(leaves))(
    "%s says that it needs %s, which is installed with it or by choice",
    (door, name) => {
      expect(() => runText(`await import("${door}")`)).toThrow(`'${name}'`);
      expect({ ...manifest.dependencies, ...manifest.peerDependencies }).toHaveProperty([name]);
    },
  );

  test("the manifest can be read", () => {
    const source = `import it from "${manifest.name}/package.json" with { type: "json" }; console.log(it.version)`;
    expect(runText(source).trim()).toBe(manifest.version);
  });

  test.each(["dist/index.js", "dist/kernel/plan.js", "bin/baton.js"])("%s stays inside", (path) => {
    expect(() => runText(`await import("${manifest.name}/${path}")`)).toThrow(
      "ERR_PACKAGE_PATH_NOT_EXPORTED",
    );
  });

  test("their types stand on their own", () => {
    const lines = doors
      .filter((door) => !door.endsWith(".json") && !Object.hasOwn(leaves, door))
      .map((door) => `export type {} from "${door}";`);
    typecheck("doors.ts", lines.join("\n"));
  });
});

const blocks = readFileSync(readme, "utf8").matchAll(/^```ts\n(.*?)^```$/gms);
const example = [...blocks].map(([, code]) => code ?? "").find((code) => code.includes("StateGraph")) ?? "";

test("the first StateGraph of the README type-checks and runs", () => {
  typecheck("readme.ts", example);
  expect(run(process.execPath, ["readme.ts"], home).stdout).toContain("draft 2");
});

test("the command starts", () => {
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(dirname(join(home, "node_modules", name)), { recursive: true }); // a scope is a folder
    symlinkSync(join(modules, name), join(home, "node_modules", name));
  }
  const { stdout, stderr } = run(process.execPath, [join(installed, manifest.bin.baton), "--help"], home);
  expect(stdout).toContain("baton");
  expect(stderr).toBe("");
});

describe("on the oldest Node that the package asks for", () => {
  const version = `${manifest.engines.node.replace(/[^0-9.]/g, "")}.0`;
  const cache = join(root, "node_modules", ".cache", `node-${version}`);
  const oldest = join(cache, "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");

  beforeAll(() => {
    if (existsSync(oldest)) return;
    const wanted = `node-${process.platform}-${process.arch}@${version}`;
    spawnSync("npm", ["install", "--no-save", "--ignore-scripts", "--prefix", cache, wanted], { cwd: home });
  }, 120_000);

  test("the first StateGraph of the README runs", ({ skip }) => {
    if (!existsSync(oldest)) return skip(`Node ${version} cannot be had from the registry for this machine`);
    const lines = `${example}\nexport {};`;
    writeFileSync(join(home, "oldest.mts"), lines);
    run(
      process.execPath,
      [tsc, "--module", "nodenext", "--target", "es2024", "oldest.mts", "--ignoreConfig"],
      home,
    );
    expect(run(oldest, ["oldest.mjs"], home).stdout).toContain("draft 2");
  });

  test("the demo runs", ({ skip }) => {
    if (!existsSync(oldest)) return skip(`Node ${version} cannot be had from the registry for this machine`);
    const { stdout } = run(oldest, [join(installed, manifest.bin.baton), "demo"], home);
    expect(stdout).toContain("What to try next");
  });
});

function typecheck(name: string, code: string): void {
  const compilerOptions = {
    ...{ module: "nodenext", target: "es2024", strict: true, exactOptionalPropertyTypes: true, noEmit: true },
    ...{ types: ["node"], typeRoots: [join(modules, "@types")] },
  };
  writeFileSync(join(home, name), code);
  writeFileSync(join(home, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [name] }));
  run(process.execPath, [tsc], home);
}

function runText(code: string): string {
  return run(process.execPath, ["--input-type=module", "--eval", code], home).stdout;
}

/** Runs a command to its end; throws with all that it said if it fails. */
function run(command: string, args: string[], cwd: string): { stdout: string; stderr: string } {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error([command, ...args, error, stdout, stderr].join(" "));
  return { stdout, stderr };
}
