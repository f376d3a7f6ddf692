import { describe, expect, test, vi } from "vitest";

async function makeAmbient(platform: "node" | "bare") {
  vi.resetModules();
  if (platform === "bare") vi.stubGlobal("process", undefined);
  try {
    const { Ambient } = await import("./ambient.ts");
    return new Ambient<string>();
  } finally {
    vi.unstubAllGlobals();
  }
}

describe.each(["node", "bare"] as const)("on a %s platform", (platform) => {
  test("a value is in force within the call, and calls nest", async () => {
    const ambient = await makeAmbient(platform);
    const seen = ambient.run("outer", () => [ambient.run("inner", () => ambient.get()), ambient.get()]);
    expect([...seen, ambient.get()]).toEqual(["inner", "outer", undefined]);
  });

  test("an error leaves nothing in force", async () => {
    const ambient = await makeAmbient(platform);
    expect(() =>
      ambient.run("x", () => {
        throw new Error("out");
      }),
    ).toThrow("out");
    expect(ambient.get()).toBeUndefined();
  });
});

test("law 1: with AsyncLocalStorage calls that overlap do not see each other", async () => {
  const ambient = await makeAmbient("node");
  const read = (name: string) =>
    ambient.run(name, async () => {
      await Promise.resolve();
      return ambient.get();
    });
  expect(await Promise.all([read("a"), read("b")])).toEqual(["a", "b"]);
});
