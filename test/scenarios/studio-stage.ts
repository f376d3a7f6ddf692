/** A studio in this process, with a project of its own and without a socket: requests go straight to the app. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { withStore } from "../../src/cli/runs/store.ts";
import { Bus } from "../../src/cli/studio/bus.ts";
import { type Composed, composeStudio } from "../../src/cli/studio/compose.ts";
import { Terminal } from "../../src/cli/terminal/terminal.ts";
import type { RunDocument, StreamMessage } from "../../src/protocol/studio.ts";
import type { Journal } from "../../src/run/journal.ts";
import { makeApp } from "../../src/server/app.ts";
import { Assets } from "../../src/server/assets.ts";
import { folderWith } from "./cli-harness.ts";

export const TOKEN = "the-token-of-this-test";
export const HOST = "127.0.0.1:4747";

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

export interface Stage {
  readonly folder: string;
  readonly journal: Journal;
  readonly conductor: Composed["conductor"];
  readonly faults: unknown[];
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Asks with the token, and reads the JSON of the answer. */
  ask<T = RunDocument>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
  /** Asks until the run stands like this. */
  until(run: string, isThere: (document: RunDocument) => boolean): Promise<RunDocument>;
  /** Fires the end of all streams. */
  stop(): void;
  close(): Promise<void>;
}

const stages: Stage[] = [];

afterAll(async () => {
  for (const stage of stages) await stage.close();
});

/** Puts a studio up over a project with these files; a path may lead through folders. */
export async function studioOver(files: Readonly<Record<string, unknown>> = {}): Promise<Stage> {
  const folder = folderWith();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(
      join(folder, name),
      typeof content === "string" ? content : JSON.stringify(content, null, 2),
    );
  }
  const db = join(folder, ".baton", "baton.db");
  const closing = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<Stage>();
  const done = withStore(db, { create: true }, async (store) => {
    const faults: unknown[] = [];
    const premises = {
      ...{ store, folder, options: { db }, bus: new Bus() },
      terminal: new Terminal({ quiet: true, muted: true }),
      tellFault: (thrown: unknown) => void faults.push(thrown),
    };
    const { studio, conductor } = composeStudio(premises);
    const stopping = new AbortController();
    const app = makeApp({
      studio,
      door: { token: TOKEN, isOwnHost: (host) => host === HOST, cookie: () => "baton_studio_4747" },
      assets: new Assets(join(folder, "page")),
      stopping: stopping.signal,
      onFault: (thrown) => void faults.push(thrown),
    });
    const fetch = async (path: string, init: RequestInit = {}) => {
      const headers = new Headers({ host: HOST, authorization: `Bearer ${TOKEN}` });
      for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
      return app.fetch(new Request(`http://${HOST}${path}`, { ...init, headers }));
    };
    const ask = async <T>(method: string, path: string, body?: unknown): Promise<Answer<T>> => {
      const response = await fetch(path, {
        method,
        ...(body !== undefined && {
          body: typeof body === "string" ? body : JSON.stringify(body),
          headers: { "content-type": "application/json" },
        }),
      });
      return { status: response.status, body: (await response.json()) as T };
    };
    const stage: Stage = {
      ...{ folder, journal: store.journal, conductor, faults, fetch, ask },
      async until(run, isThere) {
        for (const from = Date.now(); Date.now() - from < 15_000; ) {
          const { body } = await ask<RunDocument>("GET", `/api/runs/${encodeURIComponent(run)}`);
          if (isThere(body)) return body;
          await new Promise((resolve) => setTimeout(resolve, 25));
        }
        throw new Error(
          `Run ${run} never came there: ${JSON.stringify(await ask("GET", `/api/runs/${run}`))}`,
        );
      },
      stop: () => stopping.abort(),
      close: async () => {
        stopping.abort();
        await conductor.stop();
        closing.resolve();
        await done;
      },
    };
    opened.resolve(stage);
    await closing.promise;
  });
  done.catch(opened.reject);
  const stage = await opened.promise;
  stages.push(stage);
  return stage;
}

/** The messages of a stream until enough were read; the connection ends then. */
export async function messagesUntil<T = StreamMessage>(
  response: Response,
  isEnough: (messages: readonly T[]) => boolean,
): Promise<{ readonly messages: readonly T[]; readonly lastId: string | undefined }> {
  const messages: T[] = [];
  let lastId: string | undefined;
  let rest = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data === undefined) continue;
      messages.push(JSON.parse(data) as T);
      lastId = /^id: (.*)$/m.exec(block)?.[1] ?? lastId;
      if (isEnough(messages)) return { messages, lastId };
    }
  }
  return { messages, lastId };
}
