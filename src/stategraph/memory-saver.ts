/** A saver keeps the threads of a graph; this one keeps them in memory, for as long as the process lives. */

import { MemoryJournal } from "../journals/memory.ts";

/**
 * A checkpointer that keeps threads in memory, for as long as the process lives: for tests, and to try things out.
 * `SqliteSaver` of `batonjs/sqlite` keeps them in a file.
 */
export class MemorySaver extends MemoryJournal {}
