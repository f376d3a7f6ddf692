/** Premises are what everything in the studio stands on: where runs are kept, how it was called, and whom it tells. */

import type { Store } from "../runs/store.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Options } from "../verb.ts";
import type { Bus } from "./bus.ts";

export interface Premises {
  readonly store: Store;
  readonly options: Options;
  readonly terminal: Terminal;
  readonly bus: Bus;
  /** The folder of the project, absolute and without links in it. */
  readonly folder: string;
  /** Tells of a fault that nobody asked about. */
  tellFault(thrown: unknown): void;
}
