/** The port to the working folder. Paths are relative to it and stay inside it, links included. */

export interface Workspace {
  /** Its absolute path. */
  readonly root: string;
  /** Writes a file and the folders above it. Rejects with a sentence when the path leaves the folder. */
  write(path: string, content: string): Promise<void>;
}
