/**
 * A lane's program is its loadout compiled for its folder and its purse.
 *
 * 1. Whoever acts in a lane is told its folder, and no other.
 * 2. All lanes spend from the budget of the run: each visit asks what all of them have spent.
 */

import type { Handler, Program } from "../../../kernel/program.ts";
import type { Spent } from "../../budget.ts";
import { budgetReached } from "../budget.ts";
import { addSpent, NOTHING_SPENT, scopeOf, USAGE } from "../channels.ts";
import type { LoadoutDefinition } from "../definition.ts";
import { treeIn } from "../pictured.ts";
import type { LoadoutServices } from "../ports.ts";
import type { Visit } from "../visit.ts";
import { spentOf } from "./lane-record.ts";

export type Compile = (definition: LoadoutDefinition, services: LoadoutServices) => Program;

/** What the lanes of one loop have spent so far. */
export class Purse {
  readonly #visit: Visit;
  readonly #spent: Map<string, Spent> = new Map();
  #total: Spent = NOTHING_SPENT;

  /** @param visit The visit of the loop, which knows the budget and what was spent before it. */
  constructor(visit: Visit) {
    this.#visit = visit;
  }

  /** Takes note of what a lane has spent in all. */
  tell(lane: string, spent: Spent): void {
    const { tokens, knownUsd } = this.#spent.get(lane) ?? NOTHING_SPENT;
    this.#spent.set(lane, spent);
    const before = { tokens: -tokens, knownUsd: -knownUsd, costUsd: -knownUsd };
    this.#total = addSpent(addSpent(this.#total, before), spent);
  }

  /** The pause of a lane when nothing is left. */
  reached(): ReturnType<typeof budgetReached> {
    return budgetReached(this.#visit, this.#total);
  }
}

export interface LaneParts {
  readonly definition: LoadoutDefinition;
  readonly services: LoadoutServices;
  readonly compile: Compile;
  readonly loop: string;
  /** The key of the lane's item. */
  readonly lane: string;
  readonly purse: Purse;
  /** Absent when nothing in the lane may write. */
  readonly cwd: string | undefined;
}

export function laneProgram({ definition, services, compile, loop, lane, purse, cwd }: LaneParts): Program {
  const program = compile(definition, cwd === undefined ? services : within(services, cwd));
  const handlers = Object.fromEntries(
    Object.entries(program.handlers).map(([node, handler]) => [node, metered(handler, lane, purse)]),
  );
  const output = [...program.plan.output, scopeOf(loop)];
  return { ...program, handlers, plan: { ...program.plan, output } };
}

/** Asks the purse before the work (2). */
function metered(handler: Handler, lane: string, purse: Purse): Handler {
  return (input, context) => {
    purse.tell(lane, spentOf(input.snapshot.read(USAGE)));
    const held = purse.reached();
    if (held === undefined) return handler(input, context);
    return { ...held, notes: [{ kind: "loadout.skipped", data: { socket: context.node, why: "budget" } }] };
  };
}

/** The same services in another folder (1). */
function within(services: LoadoutServices, cwd: string): LoadoutServices {
  return {
    ...services,
    cwd,
    agent(name) {
      const agent = services.agent(name);
      return {
        session: (request) => agent.session(request),
        turn: (request) => agent.turn({ ...request, cwd }),
      };
    },
    commands: { run: (request) => services.commands.run({ ...request, cwd }) },
    ...(services.tree && { tree: treeIn(services.tree, cwd) }),
  };
}
