import { expect, test } from "vitest";
import { type Move, moveFor } from "./bootstrap.ts";

test.each<[branchExists: boolean, isOnBranch: boolean, dirty: boolean, allowDirty: boolean, Move]>([
  [false, false, false, false, "create"],
  [true, false, false, false, "switch"],
  [true, true, false, false, "stay"],
  [true, true, true, false, "stay"],
  [false, false, true, false, "refuse"],
  [true, false, true, false, "refuse"],
  [false, false, true, true, "create"],
  [true, false, true, true, "switch"],
])("exists %s, on it %s, dirty %s, allowed %s: %s", (branchExists, isOnBranch, dirty, allowDirty, move) => {
  const sight = { branchExists, isOnBranch, base: null, changes: dirty ? ["x"] : [] };
  expect(moveFor(sight, allowDirty)).toBe(move);
});
