import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { describe, expect, test, vi } from "vitest";
import { Ambient } from "./ambient.ts";

/** What some platforms offer under the same names: entering is missing, or outlasts its scope. */
class NoEntry<T> {
  readonly #storage = new AsyncLocalStorage<T>();

  run<R>(value: T, call: (...args: never[]) => R, ...args: never[]): R {
    return this.#storage.run(value, call, ...args);
  }

  getStore(): T | undefined {
    return this.#storage.getStore();
  }
}

class NoScope {
  runInAsyncScope<R>(call: (...args: never[]) => R, _self: undefined, ...args: never[]): R {
    return call(...args);
  }
}

const PLATFORMS = {
  node: process,
  bare: undefined,
  "no entry": { getBuiltinModule: () => ({ AsyncLocalStorage: NoEntry, AsyncResource }) },
  "no scope": { getBuiltinModule: () => ({ AsyncLocalStorage, AsyncResource: NoScope }) },
};

const WITH_STORAGE = ["node", "no entry", "no scope"] as const;

function makeAmbient(platform: keyof typeof PLATFORMS): Ambient<string> {
  vi.stubGlobal("process", PLATFORMS[platform]);
  try {
    return new Ambient<string>();
  } finally {
    vi.unstubAllGlobals();
  }
}

describe.each(["bare", ...WITH_STORAGE] as const)("on a platform that is: %s", (platform) => {
  test("a value is in force within the call, and calls nest", async () => {
    const ambient = makeAmbient(platform);
    const seen = ambient.run(
      "outer",
      () => [ambient.run("inner", () => ambient.get(), []), ambient.get()],
      [],
    );
    expect([...seen, ambient.get()]).toEqual(["inner", "outer", undefined]);
  });

  test("an error leaves nothing in force", async () => {
    const ambient = makeAmbient(platform);
    expect(() =>
      ambient.run("x", () => {
        throw new Error("out");
      }, []),
    ).toThrow("out");
    expect(ambient.get()).toBeUndefined();
  });
});

describe.each(WITH_STORAGE)("with AsyncLocalStorage, on a platform that is: %s", (platform) => {
  test("law 1: calls that overlap do not see each other", async () => {
    const ambient = makeAmbient(platform);
    const read = (name: string) =>
      ambient.run(name, async () => {
        await Promise.resolve();
        return ambient.get();
      }, []);
    expect(await Promise.all([read("a"), read("b")])).toEqual(["a", "b"]);
  });

  test("law 1: what a call left behind keeps its value while others run", async () => {
    const ambient = makeAmbient(platform);
    const turn = Promise.withResolvers<void>();
    const seen: (string | undefined)[] = [];
    ambient.run("first", () => void turn.promise.then(() => seen.push(ambient.get())), []);
    turn.promise.then(() => seen.push(ambient.get()));
    ambient.run("second", turn.resolve, []);
    await turn.promise;
    expect(seen).toEqual(["first", undefined]);
  });

  test("law 3: other storages are in force within a call, and behind it", async () => {
    const ambient = makeAmbient(platform);
    const others = new AsyncLocalStorage<string>();
    const read = async () => {
      await Promise.resolve();
      return [others.getStore(), ambient.get()];
    };
    const seen = await others.run("other", async () => [
      await ambient.run("mine", read, []),
      await others.run("inner", () => ambient.run("mine", read, [])),
      await read(),
    ]);
    expect(seen).toEqual([
      ["other", "mine"],
      ["inner", "mine"],
      ["other", undefined],
    ]);
  });
});

test("a call is given its arguments", async () => {
  const ambient = makeAmbient("node");
  expect(ambient.run("x", (a: number, b: number) => [a, b, ambient.get()], [1, 2])).toEqual([1, 2, "x"]);
});
