/** An update is a partial state; here it becomes the writes that the kernel folds. */

import { isObject } from "../../base/json.ts";
import { closest } from "../../base/names.ts";
import type { Write } from "../../kernel/event.ts";
import { Overwrite } from "./command.ts";
import { InvalidUpdateError } from "./errors.ts";
import type { FieldPlan, FieldPlans } from "./fields.ts";
import { CONTROL } from "./names.ts";
import { open, seal } from "./values.ts";

const NO_WRITES: readonly Write[] = [];

/** The writes of an update. Throws an `InvalidUpdateError` that names `author` when it does not fit the fields. */
export function writesOf(fields: FieldPlans, update: unknown, author: string): readonly Write[] {
  if (update === undefined || update === null) return NO_WRITES;
  if (!isObject(update)) {
    throw new InvalidUpdateError(`${author} gave ${nameOf(update)}, but an update is an object of fields.`);
  }
  let writes: Write[] | undefined; // a list of one takes a sixth of one that is pushed to
  for (const name of Object.keys(update)) {
    const field = fields.get(name);
    if (field === undefined) throw unknownField(fields, name, author);
    const write = writeOf(field, update[name], author);
    if (write === undefined) continue;
    if (writes === undefined) writes = [write];
    else writes.push(write);
  }
  return writes ?? NO_WRITES;
}

/** Throws an `InvalidUpdateError` when an update has a key that is no field. */
export function refuseUnknownFields(
  fields: FieldPlans,
  update: Readonly<Record<string, unknown>>,
  author: string,
): void {
  const unknown = Object.keys(update).find((name) => !fields.has(name));
  if (unknown !== undefined) throw unknownField(fields, unknown, author);
}

/** A field with a reducer takes `undefined` as no update; one without takes it as its value. */
function writeOf(field: FieldPlan, value: unknown, author: string): Write | undefined {
  const { name, spec } = field;
  if (value instanceof Overwrite) {
    return { channel: name, value: seal(field.normalise(value.value), name, author), overwrite: true };
  }
  if (value === undefined && (spec.kind === "fold" || spec.kind === "topic")) return undefined;
  return { channel: name, value: seal(field.normalise(value), name, author) };
}

/** The update that these writes stand for, as readers of a stream see it. */
export function updateOf(writes: readonly Write[]): Record<string, unknown> {
  const shown = writes.filter(({ channel }) => !channel.startsWith(CONTROL));
  return Object.fromEntries(shown.map(({ channel, value }) => [channel, open(value)]));
}

function unknownField(fields: FieldPlans, name: string, author: string): InvalidUpdateError {
  const meant = closest(name, fields.keys());
  const hint =
    meant === undefined ? `The fields are: ${[...fields.keys()].join(", ")}.` : `Did you mean "${meant}"?`;
  return new InvalidUpdateError(`${author} wrote to "${name}", which is not a field of the state. ${hint}`);
}

/** What a value is, in words. */
export function nameOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  return `an instance of ${value.constructor?.name || "a class"}`;
}
