/**
 * An ambient value follows a call through everything that it awaits, without being passed along.
 *
 * 1. Where the platform has `AsyncLocalStorage`, calls that overlap never see each other's values.
 * 2. Elsewhere the value lasts for the synchronous part of the call: up to its first `await`.
 * 3. What others keep in storages of their own is in force within a call as it was where its caller was made.
 */

/** Makes calls, each with a value in force. */
export interface Caller<T> {
  run<Args extends readonly unknown[], R>(value: T, call: (...args: Args) => R, args: Args): R;
}

interface Storage<T> {
  caller(): Caller<T>;
  getStore(): T | undefined;
}

interface AsyncLocalStorage<T> {
  run<Args extends readonly unknown[], R>(value: T, call: (...args: Args) => R, ...args: Args): R;
  getStore(): T | undefined;
  /** Puts a value in place for the rest of what runs now. */
  enterWith(value: T): void;
}

/** What runs in the scope of a resource has the storages of the place where the resource was made. */
interface AsyncResource {
  runInAsyncScope<Args extends readonly unknown[], R>(
    call: (...args: Args) => R,
    self: undefined,
    ...args: Args
  ): R;
}

interface AsyncHooks {
  readonly AsyncLocalStorage: new <T>() => AsyncLocalStorage<T>;
  readonly AsyncResource: new (type: string) => AsyncResource;
}

interface Platform {
  readonly process?: { getBuiltinModule?(name: "node:async_hooks"): AsyncHooks };
}

export class Ambient<T> {
  readonly #storage: Storage<T> = makeStorage();

  /** Calls with these arguments and a value in force. */
  run<Args extends readonly unknown[], R>(value: T, call: (...args: Args) => R, args: Args): R {
    return this.#storage.caller().run(value, call, args);
  }

  /** What makes many calls from here (3): cheaper than as many times `run`. */
  caller(): Caller<T> {
    return this.#storage.caller();
  }

  /** The value in force here, if there is one. */
  get(): T | undefined {
    return this.#storage.getStore();
  }
}

function makeStorage<T>(): Storage<T> {
  // What a platform offers beyond the language is looked up, because this floor compiles without any.
  const hooks = (globalThis as Platform).process?.getBuiltinModule?.("node:async_hooks");
  if (hooks === undefined) return new SyncStorage<T>();
  return canEnter(hooks) ? new ScopedStorage<T>(hooks) : new PlainStorage<T>(hooks);
}

/** Says whether a value that is entered in a scope is there, and gone behind it: not all that imitate Node do that. */
function canEnter({ AsyncLocalStorage, AsyncResource }: AsyncHooks): boolean {
  const storage = new AsyncLocalStorage<number>();
  try {
    const inside = new AsyncResource("probe").runInAsyncScope(() => {
      storage.enterWith(1);
      return storage.getStore();
    }, undefined);
    return inside === 1 && storage.getStore() === undefined;
  } catch {
    return false;
  }
}

class PlainStorage<T> implements Storage<T>, Caller<T> {
  readonly #storage: AsyncLocalStorage<T>;

  constructor({ AsyncLocalStorage }: AsyncHooks) {
    this.#storage = new AsyncLocalStorage();
  }

  caller(): Caller<T> {
    return this;
  }

  run<Args extends readonly unknown[], R>(value: T, call: (...args: Args) => R, args: Args): R {
    return this.#storage.run(value, call, ...args);
  }

  getStore(): T | undefined {
    return this.#storage.getStore();
  }
}

/**
 * Does what `AsyncLocalStorage.run` does in a fifth of the time: that copies all storages into a new map before the
 * call and once more behind it, where leaving a scope puts back the map that was there.
 */
class ScopedStorage<T> implements Storage<T> {
  readonly #storage: AsyncLocalStorage<T>;
  readonly #Scope: AsyncHooks["AsyncResource"];

  constructor({ AsyncLocalStorage, AsyncResource }: AsyncHooks) {
    this.#storage = new AsyncLocalStorage();
    this.#Scope = AsyncResource;
  }

  caller(): Caller<T> {
    return new ScopedCaller(this.#storage, new this.#Scope("Ambient"));
  }

  getStore(): T | undefined {
    return this.#storage.getStore();
  }
}

class ScopedCaller<T> implements Caller<T> {
  readonly #storage: AsyncLocalStorage<T>;
  readonly #scope: AsyncResource;

  constructor(storage: AsyncLocalStorage<T>, scope: AsyncResource) {
    this.#storage = storage;
    this.#scope = scope;
  }

  run<Args extends readonly unknown[], R>(value: T, call: (...args: Args) => R, args: Args): R {
    return this.#scope.runInAsyncScope(this.#enter<Args, R>, undefined, value, call, args);
  }

  readonly #enter = <Args extends readonly unknown[], R>(
    value: T,
    call: (...args: Args) => R,
    args: Args,
  ): R => {
    this.#storage.enterWith(value);
    return call(...args);
  };
}

/** Keeps law 2. */
class SyncStorage<T> implements Storage<T>, Caller<T> {
  #value: T | undefined;

  caller(): Caller<T> {
    return this;
  }

  run<Args extends readonly unknown[], R>(value: T, call: (...args: Args) => R, args: Args): R {
    const outer = this.#value;
    this.#value = value;
    try {
      return call(...args);
    } finally {
      this.#value = outer;
    }
  }

  getStore(): T | undefined {
    return this.#value;
  }
}
