export { budgetWrites } from "./dialects/loadout/budget.ts";
export { checkLoadout, type LoadoutCheck, type Termination } from "./dialects/loadout/check/check.ts";
export { compileLoadout, startLoadout } from "./dialects/loadout/compile.ts";
export type {
  Budget,
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
export { isLoadout, type ReadLoadout, type ReadOptions, readLoadout } from "./dialects/loadout/read.ts";
export { loadoutJsonSchema } from "./dialects/loadout/schema.ts";
export {
  type LoadoutResult,
  type LoadoutRoute,
  LoadoutView,
  type LoadoutVisit,
  type LoadoutWarning,
  loadoutResult,
} from "./dialects/loadout/view.ts";
