/** Modules that a person wrote import `batonjs`: this makes that name mean the very package that runs them. */

import * as nodeModule from "node:module";

const NAME = /^batonjs(?:\/([a-z]+))?$/;

/** From now on, imports of the package resolve to the doors of this one, where Node lets us say so (22.15). */
export function resolveOwnPackage(): void {
  const doors = new URL("../", import.meta.url);
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  nodeModule.registerHooks?.({
    resolve(specifier, context, nextResolve) {
      const match = NAME.exec(specifier);
      if (match === null) return nextResolve(specifier, context);
      return nextResolve(new URL(`${match[1] ?? "index"}.${extension}`, doors).href, context);
    },
  });
}
