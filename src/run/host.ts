/** The host is what a driver needs of the machine that it runs on, besides its journal and clock. */

export interface Host {
  /** The address of a text by its content: `sha256:` and 64 hex digits. */
  digest(text: string): string;
  /** Told what a running task shows of its progress; nothing of it is recorded. */
  progress?(progress: Progress): void;
}

export interface Progress {
  readonly run: string;
  readonly task: string;
  readonly node: string;
  readonly chunk: unknown;
}
