/** The examples run, and print what they promise in their lines `// →`, whichever saver keeps their threads. */
import { readdirSync, readFileSync } from "node:fs";
import { inspect } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";

const FOLDER = new URL("../../examples/", import.meta.url);
const examples = readdirSync(FOLDER).filter(
  (name) => /^(stategraph|functional)-.*\.ts$/.test(name) && name !== "stategraph-saver.ts",
);

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

function listen(): string[] {
  const printed: string[] = [];
  vi.spyOn(console, "log").mockImplementation((...values: unknown[]) => {
    const texts = values.map((value) =>
      typeof value === "string" ? value : inspect(value, { breakLength: 1000 }),
    );
    printed.push(texts.join(" "));
  });
  return printed;
}

test("there are ten of them, from hello to a map-reduce with people in it", () => {
  expect(examples).toHaveLength(10);
  expect(examples).toEqual(expect.arrayContaining(["stategraph-hello.ts", "stategraph-map-reduce.ts"]));
});

describe.each(["memory", "sqlite"])("with SAVER=%s", (saver) => {
  test.each(examples)("%s", async (name) => {
    const source = readFileSync(new URL(name, FOLDER), "utf8");
    const promised = [...source.matchAll(/^\/\/ → (.*)$/gm)].map(([, line = ""]) => line);
    vi.stubEnv("SAVER", saver);
    const printed = listen();
    await import(/* @vite-ignore */ `../../examples/${name}?saver=${saver}`);
    expect(promised.length).toBeGreaterThan(0);
    expect(printed).toEqual(promised);
  });
});
