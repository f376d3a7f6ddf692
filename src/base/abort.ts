/** The word of the platform for "stop now", where the platform has one. */

/** The platform's `AbortSignal` where there is one. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Platform } }
  ? Platform
  : {
      readonly aborted: boolean;
      readonly reason: unknown;
      addEventListener(type: "abort", listener: () => void): void;
      removeEventListener(type: "abort", listener: () => void): void;
    };
