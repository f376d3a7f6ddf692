/** A saver keeps the threads of a graph; this one keeps them in memory, for as long as the process lives. */

import { MemoryJournal } from "../journals/memory.ts";

export class MemorySaver extends MemoryJournal {}
