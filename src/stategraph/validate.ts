/** Validating holds what goes into a graph and comes out of it against the schemas that its author gave. */

import type { CompiledGraph } from "../dialects/graph/compile.ts";
import { EmptyChannelError, InvalidUpdateError } from "../dialects/graph/errors.ts";
import type { FieldPlans } from "../dialects/graph/fields.ts";
import { printIssues, type StandardSchema } from "../dialects/graph/standard-schema.ts";
import { refuseUnknownFields } from "../dialects/graph/update.ts";
import type { Maybe } from "../run/journal.ts";

type Values = Readonly<Record<string, unknown>>;

/** The input as its schemas make it. Throws an `InvalidUpdateError` when it does not pass them. */
export function validInput(graph: CompiledGraph, input: Values): Maybe<Values> {
  const { input: fields, schemas } = graph;
  refuseUnknownFields(fields, input, "The input");
  if (schemas.input !== undefined) return validWhole(schemas.input, input, "The input is not valid: input");
  return validFields(fields, input, "The input");
}

/** The output as its schemas make it. Throws when it does not pass them, or lacks what they ask for. */
export async function validOutput(graph: CompiledGraph, output: Values): Promise<Values> {
  const { output: fields, schemas } = graph;
  if (fields === undefined) return output;
  for (const { name, schema } of fields.values()) {
    if (schema === undefined || Object.hasOwn(output, name)) continue;
    const absent = await schema["~standard"].validate(undefined);
    if (absent.issues === undefined) continue;
    throw new EmptyChannelError(`The output has no ${JSON.stringify(name)}: nobody wrote to that field.`);
  }
  if (schemas.output === undefined) return validFields(fields, output, "The output");
  return validWhole(schemas.output, output, "The output is not valid: output");
}

async function validWhole(schema: StandardSchema, values: Values, where: string): Promise<Values> {
  return (await checked(schema, values, where)) as Values; // an object schema
}

/** The values themselves when no field that they name has a schema, with nothing to wait for. */
function validFields(fields: FieldPlans, values: Values, what: string): Maybe<Values> {
  for (const name of Object.keys(values)) {
    if (fields.get(name)?.schema !== undefined) return checkedFields(fields, values, what);
  }
  return values;
}

async function checkedFields(fields: FieldPlans, values: Values, what: string): Promise<Values> {
  let valid: Record<string, unknown> | undefined;
  for (const name of Object.keys(values)) {
    const schema = fields.get(name)?.schema;
    if (schema === undefined) continue;
    const value = await checked(schema, values[name], `${what} is not valid: ${name}`);
    valid ??= { ...values };
    valid[name] = value;
  }
  return valid ?? values;
}

async function checked(schema: StandardSchema, value: unknown, where: string): Promise<unknown> {
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return result.value;
  throw new InvalidUpdateError(`${printIssues(where, result.issues)}.`);
}
