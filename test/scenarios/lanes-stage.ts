/** The stage on which parallel loops are tried: agents that are functions, and real repositories where files matter. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Agent, Turn, TurnRequest } from "../../src/agent/agent.ts";
import type { Commands } from "../../src/agent/command.ts";
import type { Worktrees } from "../../src/agent/worktree.ts";
import { failure } from "../../src/base/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { runId } from "../../src/base/names.ts";
import { LocalRun } from "../../src/engines/local.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { channelValue, openQuestions } from "../../src/kernel/state.ts";
import {
  budgetWrites,
  compileLoadout,
  LoadoutView,
  loadoutResult,
  readLoadout,
  startLoadout,
} from "../../src/loadout.ts";
import type { Journal } from "../../src/run/journal.ts";

/** What an agent says at a socket, on an item; `turns` counts those of the socket and item in this process. */
export type Play = (request: TurnRequest, turns: number) => Promise<Said> | Said;
export type Said = Json | { readonly fail: string } | { readonly ask: string } | { readonly cost: number };

export interface LanesOptions {
  readonly loadout: Json;
  readonly play: Play;
  readonly journal?: Journal;
  readonly worktrees?: Worktrees;
  readonly cwd?: string;
  readonly commands?: Commands;
}

const RUN = runId("r");

export class LanesStage {
  readonly turns: string[] = [];
  readonly prompts: Map<string, string> = new Map();
  readonly journal: Journal;
  readonly #options: LanesOptions;
  readonly #counts: Map<string, number> = new Map();
  #run: LocalRun | undefined;
  /** The most turns that were taken at the same time. */
  most = 0;
  #now = 0;

  constructor(options: LanesOptions) {
    this.#options = options;
    this.journal = options.journal ?? new MemoryJournal();
  }

  async open(): Promise<LocalRun> {
    if (this.#run !== undefined) return this.#run;
    const read = readLoadout(this.#options.loadout);
    if (!read.ok) throw new Error(JSON.stringify(read.errors));
    const { worktrees, cwd = "/project" } = this.#options;
    const program = compileLoadout(read.definition, {
      agent: () => this.#agent(),
      commands: this.#options.commands ?? { run: () => Promise.reject(new Error("no programs here")) },
      utility: () => undefined,
      ...{ cwd, runDir: join(cwd, ".baton", "r") },
      ...(worktrees && { worktrees }),
    });
    this.#run = await LocalRun.open(program, this.journal, RUN);
    if (this.#run.ledger.state.status === "new") {
      await this.#run.send(startLoadout(read.definition, "Do it."));
    }
    return this.#run;
  }

  async play() {
    const run = await this.open();
    await run.drive();
    return this.standing();
  }

  async answer(value: Json, at = 0) {
    const run = await this.open();
    const question = openQuestions(run.ledger.state)[at]!.question;
    await run.send({ type: "answer", question: question.id, value });
    return this.play();
  }

  async resume(budget?: { maxTokens: number }) {
    const run = await this.open();
    await run.send({ type: "resume", ...(budget && { writes: budgetWrites(budget) }) });
    return this.play();
  }

  async standing() {
    const { state } = (await this.open()).ledger;
    const view = new LoadoutView();
    for (const event of await this.journal.read(RUN, 0)) view.evolve(event);
    const { reason, message, failure: why } = state;
    const status = state.status === "running" ? "waiting" : state.status;
    const questions = openQuestions(state).map(({ question }) => question.value as JsonObject);
    const context = (channelValue(state, "context") ?? []) as readonly JsonObject[];
    const told = context.map(({ text }) => text);
    return { ...loadoutResult(view, state), status, reason, message, failure: why, questions, told };
  }

  #agent(): Agent {
    return {
      session: ({ node }) => node,
      turn: async (request) => {
        const name = request.item === undefined ? request.node : `${request.node}@${request.item}`;
        const count = (this.#counts.get(name) ?? 0) + 1;
        this.#counts.set(name, count);
        if (request.approval === undefined) this.turns.push(name);
        this.prompts.set(`${name} ${count}`, request.prompt);
        this.most = Math.max(this.most, ++this.#now);
        const said = await this.#options.play(request, count);
        this.#now--;
        return turnOf(said, request);
      },
    };
  }
}

function turnOf(said: Said, request: TurnRequest): Turn {
  const usage = { tokens: 10, costUsd: 0 };
  const object = isJsonObject(said as Json) ? (said as JsonObject) : {};
  if (typeof object["fail"] === "string") {
    return { kind: "failed", failure: failure("script_exhausted", object["fail"]), usage, cursor: null };
  }
  if (typeof object["ask"] === "string" && request.approval === undefined) {
    return { kind: "asks", title: object["ask"], args: {} };
  }
  if (typeof object["ask"] === "string") {
    return { kind: "done", text: `approved: ${request.approval?.approved}`, usage, cursor: null };
  }
  return { kind: "done", text: typeof said === "string" ? said : JSON.stringify(said), usage, cursor: null };
}

/** Plan → lanes [Build → Keep] → Tell. */
export function lanes(more: JsonObject = {}, tools = "none", maxConcurrency = 2): JsonObject {
  return {
    entry: "Socket-1",
    sockets: {
      "Socket-1": { materia: "Plan", edges: [{ when: "always", to: "Socket-2" }] },
      "Socket-2": { materia: "Build", edges: [{ when: "always", to: "Socket-3" }] },
      "Socket-3": {
        materia: "Keep",
        parse: "json",
        assign: { result: "$.result" },
        advance: { cursor: "workItemIndex", items: "state.workItems", when: "satisfied" },
        edges: [{ when: "always", to: "Socket-2" }],
      },
      "Socket-4": { materia: "Tell" },
    },
    loops: {
      items: {
        sockets: ["Socket-2", "Socket-3"],
        consumes: { from: "Socket-1" },
        exits: [{ id: "done", from: "Socket-3", condition: "satisfied", targetSocketId: "Socket-4" }],
        parallel: { maxConcurrency },
      },
    },
    materia: {
      Plan: { prompt: "Plan.", tools: "none", generator: true },
      Build: { prompt: "Build.", tools },
      Keep: { prompt: "Keep.", tools: "none" },
      Tell: { prompt: "Tell.", tools: "none" },
    },
    ...more,
  };
}

/** Plans so many items; every lane keeps what it built, and says which item it was. */
export function usual(count: number, build: Play = () => "built"): Play {
  return (request, turns) => {
    switch (request.node) {
      case "Socket-1":
        return {
          workItems: Array.from({ length: count }, (_, n) => ({ title: `Item ${n + 1}`, context: "Do." })),
        };
      case "Socket-2":
        return build(request, turns);
      case "Socket-3":
        return { satisfied: true, result: `${request.item}`, context: `kept ${request.item}` };
      default:
        return "told";
    }
  };
}

/** A repository with one file and one commit. */
export function repository(): string {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "lanes-")));
  const repo = join(top, "repo");
  mkdirSync(repo);
  git(repo, "init", "--quiet", "--initial-branch=main");
  writeFileSync(join(repo, "shared.txt"), "start\n");
  git(repo, "add", ".");
  git(repo, "commit", "--quiet", "--message", "First");
  return repo;
}

export function git(cwd: string, ...args: readonly string[]): string {
  const named = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  return execFileSync("git", [...named, ...args], { cwd, encoding: "utf8", stdio: "pipe" }).trim();
}

export const readIn = (folder: string, file: string): string => readFileSync(join(folder, file), "utf8");
