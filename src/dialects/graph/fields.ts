/** The fields of a graph as it was compiled: whatever form the author declared them in. */

import type { Issue } from "../../base/issue.ts";
import { pointer } from "../../base/issue.ts";
import { isObject, type Json } from "../../base/json.ts";
import type { ChannelSpec } from "../../kernel/plan.ts";
import type { Reducer } from "../../kernel/program.ts";
import { Channel } from "./channels.ts";
import { GraphError } from "./errors.ts";
import { Field, type FieldOptions, Schema } from "./field.ts";
import { CONTROL } from "./names.ts";
import { normalise, reducers, sealedReducer } from "./reducers.ts";
import { type Checked, isStandardSchema, partsOf, type StandardSchema } from "./standard-schema.ts";
import { seal } from "./values.ts";

/** One field, ready to be used. */
export interface FieldPlan {
  readonly name: string;
  readonly spec: ChannelSpec;
  /** On sealed values. */
  readonly reducer: Reducer | undefined;
  /** Makes the first value of each new run, where it is not the same for all. */
  readonly makeDefault: (() => unknown) | undefined;
  readonly schema: StandardSchema | undefined;
  /** True when numbers are added up. */
  readonly sums: boolean;
  /** True when it is a list of messages. */
  readonly holdsMessages: boolean;
  /** The form in which an update is written. */
  normalise(update: unknown): unknown;
}

export type FieldPlans = ReadonlyMap<string, FieldPlan>;

/** Reads a definition in any of its forms; what is wrong with it is added to the issues. */
export function planFields(definition: unknown, issues: Issue[]): FieldPlans {
  const plans = new Map<string, FieldPlan>();
  for (const [name, declared] of Object.entries(declarationsOf(definition, issues))) {
    try {
      const field = toField(declared);
      if (field === undefined || name.startsWith(CONTROL)) {
        issues.push(invalidField(name, field === undefined));
      } else plans.set(name, planField(name, field));
    } catch (error) {
      if (!(error instanceof GraphError)) throw error;
      const message = `Field ${JSON.stringify(name)} cannot be used: ${error.message}`;
      const hint = "See field() for what a field may be.";
      issues.push({
        severity: "error",
        code: "invalid_field",
        pointer: pointer("fields", name),
        message,
        hint,
      });
    }
  }
  return plans;
}

function declarationsOf(definition: unknown, issues: Issue[]): Readonly<Record<string, unknown>> {
  if (definition instanceof Schema) return definition.fields;
  if (isStandardSchema(definition)) {
    const parts = partsOf(definition);
    if (parts !== undefined) return parts;
    issues.push({
      severity: "error",
      code: "unknown_schema",
      pointer: "/fields",
      message: "The state is a schema that does not tell its keys.",
      hint: "Give an object schema of zod, valibot or arktype, or name the fields one by one.",
    });
    return {};
  }
  if (isObject(definition)) return definition;
  issues.push({
    severity: "error",
    code: "invalid_fields",
    pointer: "/fields",
    message: "The state is declared with something that is no object of fields.",
    hint: "Give an object such as { topic: field() }, or an object schema.",
  });
  return {};
}

function invalidField(name: string, unreadable: boolean): Issue {
  return {
    severity: "error",
    code: "invalid_field",
    pointer: pointer("fields", name),
    message: unreadable
      ? `Field ${JSON.stringify(name)} is declared with something that is no field.`
      : `Field ${JSON.stringify(name)} begins with ${CONTROL}, which marks channels of the library.`,
    hint: unreadable ? "Use field(), a plain object of its options, or a schema." : "Take another name.",
  };
}

function toField(declared: unknown): Field<unknown, unknown> | undefined {
  if (declared instanceof Field) return declared;
  if (declared instanceof Channel) return new Field({ channel: declared });
  if (isStandardSchema(declared)) return new Field({ schema: declared, ...defaultOf(declared) });
  return isObject(declared) ? new Field(declared as FieldOptions<unknown>) : undefined;
}

/** A schema that accepts nothing at all says what stands there then. */
function defaultOf(schema: StandardSchema): { readonly default?: () => unknown } {
  const absent = (): Checked<unknown> | undefined => {
    const checked = schema["~standard"].validate(undefined);
    return checked instanceof Promise ? undefined : checked;
  };
  const checked = absent();
  if (checked === undefined || checked.issues !== undefined || checked.value === undefined) return {};
  return {
    default: () => {
      const again = absent();
      return again?.issues === undefined ? again?.value : undefined;
    },
  };
}

function planField(name: string, { channel, schema }: Field<unknown, unknown>): FieldPlan {
  const { default: declared, reducer } = channel;
  const isMade = typeof declared === "function";
  const initial: Json | undefined = isMade || declared === undefined ? undefined : seal(declared, name);
  return {
    name,
    spec: channel.spec(name, initial),
    reducer: reducer && sealedReducer(name, reducer),
    makeDefault: isMade ? (declared as () => unknown) : undefined,
    schema,
    sums: reducer === reducers.add,
    holdsMessages: reducer === reducers.messages,
    normalise: (update) => normalise(reducer, update),
  };
}
