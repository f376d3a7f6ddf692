/**
 * An ambient value follows a call through everything that it awaits, without being passed along.
 *
 * 1. Where the platform has `AsyncLocalStorage`, calls that overlap never see each other's values.
 * 2. Elsewhere the value lasts for the synchronous part of the call: up to its first `await`.
 */

interface Storage<T> {
  run<R>(value: T, call: () => R): R;
  getStore(): T | undefined;
}

interface Platform {
  readonly process?: {
    getBuiltinModule?(name: "node:async_hooks"): { readonly AsyncLocalStorage: new <T>() => Storage<T> };
  };
}

export class Ambient<T> {
  readonly #storage: Storage<T> = makeStorage();

  /** Calls with a value in force. */
  run<R>(value: T, call: () => R): R {
    return this.#storage.run(value, call);
  }

  /** The value in force here, if there is one. */
  get(): T | undefined {
    return this.#storage.getStore();
  }
}

function makeStorage<T>(): Storage<T> {
  // What a platform offers beyond the language is looked up, because this floor compiles without any.
  const hooks = (globalThis as Platform).process?.getBuiltinModule?.("node:async_hooks");
  return hooks === undefined ? new SyncStorage<T>() : new hooks.AsyncLocalStorage<T>();
}

/** Keeps law 2. */
class SyncStorage<T> implements Storage<T> {
  #value: T | undefined;

  run<R>(value: T, call: () => R): R {
    const outer = this.#value;
    this.#value = value;
    try {
      return call();
    } finally {
      this.#value = outer;
    }
  }

  getStore(): T | undefined {
    return this.#value;
  }
}
