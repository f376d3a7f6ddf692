/** Trouble with a journal file in words that say what to do: the disk, the rights, the file itself. */

/** SQLite's result codes, of which the low byte is the kind. */
export const CODE = {
  busy: 5,
  readonly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
} as const;

/** What a journal says when its file cannot be used. Nothing of the append in hand is kept. */
export class JournalFault extends Error {
  override readonly name: string = "JournalFault";
  readonly kind: keyof typeof ROWS;

  constructor(kind: keyof typeof ROWS, message: string, cause: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

const ROWS = {
  locked: "is locked: another process writes to it for too long. Try again when that is done.",
  full: "cannot grow: the disk is full, or the file is as large as it may be. Nothing is lost; make room and resume.",
  read_only:
    "cannot be written to. What is in it can be read; copy it to a place that may be written to go on.",
  damaged:
    "is damaged. Runs that can be read are not affected; export them, or bring back a copy of the file.",
  unreachable:
    "cannot be read or written: the disk does not answer as it should. Try again, or copy the file.",
} as const;

const KINDS: ReadonlyMap<number, keyof typeof ROWS> = new Map([
  [CODE.busy, "locked"],
  [CODE.full, "full"],
  [CODE.readonly, "read_only"],
  [CODE.corrupt, "damaged"],
  [CODE.notADatabase, "damaged"],
  [CODE.io, "unreachable"],
]);

/** The error for people, where SQLite's own is of a known kind; otherwise the error itself. */
export function named(error: unknown, path: string): unknown {
  const kind = KINDS.get(resultCode(error) ?? -1);
  if (kind === undefined || error instanceof JournalFault) return error;
  return new JournalFault(kind, `${path} ${ROWS[kind]}`, error);
}

/** The error for people when a file has not the tables that its version says. */
export function unfitSchema(error: unknown, path: string): unknown {
  const told = named(error, path);
  if (told !== error || resultCode(error) === undefined) return told;
  return new JournalFault("damaged", `${path} ${ROWS.damaged}`, error);
}

/** The kind of an error that SQLite threw. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}
