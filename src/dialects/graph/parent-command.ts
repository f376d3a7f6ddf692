/** A parent command leaves a sub-graph for the graph around it; between the two it lies in the sub-graph's log. */

import { isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { ChannelName } from "../../base/names.ts";
import type { ChannelSpec, Plan } from "../../kernel/plan.ts";
import { type Command, Overwrite, Send } from "./command.ts";
import { InvalidUpdateError } from "./errors.ts";
import { CONTROL } from "./names.ts";
import { copy, open, seal } from "./values.ts";

/** The channel of a sub-graph in which commands to its parent wait. */
export const TO_PARENT: ChannelName = `${CONTROL}parent`;

const SPEC: ChannelSpec = { kind: "topic", unique: false, accumulate: true };

/** The plan of a graph that serves as a node of another. */
export function asChild(plan: Plan): Plan {
  return {
    ...plan,
    channels: { ...plan.channels, [TO_PARENT]: SPEC },
    output: [...plan.output, TO_PARENT],
  };
}

/** What a sub-graph wants of its parent. */
export interface ParentWish {
  readonly update: Readonly<Record<string, unknown>>;
  readonly targets: readonly unknown[];
}

/** A command as it is recorded. */
export function sealWish({ update = {}, goto }: Command, author: string): Json {
  if (!isObject(update))
    throw new InvalidUpdateError(`${author} gave its parent an update that is no object.`);
  const name = `The command of ${author} to its parent`;
  const entries = Object.keys(update).map((key): Json => {
    const value = update[key];
    if (value instanceof Overwrite) return [key, seal(value.value, `${name}, ${key},`), true];
    return [key, seal(value, `${name}, ${key},`), false];
  });
  const targets = [goto].flat(1).filter((target) => target !== undefined);
  const sealed = targets.map(
    (target): Json =>
      target instanceof Send
        ? { send: target.node, args: seal(target.args, name) }
        : seal(target, `${name}, goto,`),
  );
  return { update: entries, targets: sealed };
}

/** The commands that a sub-graph left, read from its output. */
export function openWishes(output: Readonly<Record<ChannelName, Json>>): ParentWish[] {
  const wishes = (output[TO_PARENT] ?? []) as readonly {
    update: [string, Json, boolean][];
    targets: Json[];
  }[];
  return wishes.map(({ update, targets }) => ({
    update: Object.fromEntries(
      update.map(([key, value, replaces]) => [key, replaces ? new Overwrite(copy(value)) : open(value)]),
    ),
    targets: targets.map((target) => {
      const { send, args } = target as JsonObject & { send?: string };
      return send === undefined ? open(target) : new Send(send, open(args as Json));
    }),
  }));
}
