/** `batonjs/loadout`: workflows in JSON, checked, proved, drawn, compiled for the kernel and told as people see them. */

export type { Budget } from "./dialects/budget.ts";
export { budgetWrites } from "./dialects/loadout/budget.ts";
export { checkLoadout, type LoadoutCheck } from "./dialects/loadout/check/check.ts";
export { compileLoadout, startLoadout } from "./dialects/loadout/compile.ts";
export type {
  Limits,
  Loadout,
  LoadoutDefinition,
  Materia,
  Socket,
} from "./dialects/loadout/definition.ts";
export {
  type DrawnEdge,
  type DrawnSocket,
  drawLoadout,
  type LoadoutDrawing,
} from "./dialects/loadout/draw.ts";
export { checkAnswer } from "./dialects/loadout/human-socket.ts";
export type { BundledUtility, LoadoutServices } from "./dialects/loadout/ports.ts";
export {
  type Assumptions,
  type Ceiling,
  ceilingSentence,
  costCeiling,
  type ParsedAssumptions,
  parseAssumptions,
} from "./dialects/loadout/prove/ceiling.ts";
export type { Lead, SocketOutcomes } from "./dialects/loadout/prove/outcomes.ts";
export type { Proof } from "./dialects/loadout/prove/prove.ts";
export { isLoadout, type ReadLoadout, type ReadOptions, readLoadout } from "./dialects/loadout/read.ts";
export { loadoutJsonSchema } from "./dialects/loadout/schema.ts";
export type { WalkLaw } from "./dialects/loadout/simulate/invariant.ts";
export type { Always, AtMost, Laws, Never } from "./dialects/loadout/simulate/law-rules.ts";
export { lawsJsonSchema } from "./dialects/loadout/simulate/laws.ts";
export type { Walk, WalkEnd, WalkVisit } from "./dialects/loadout/simulate/walk.ts";
export {
  type LoadoutResult,
  type LoadoutRoute,
  LoadoutView,
  type LoadoutVisit,
  type LoadoutWarning,
  loadoutResult,
} from "./dialects/loadout/view.ts";
export type { Termination } from "./dialects/termination.ts";
