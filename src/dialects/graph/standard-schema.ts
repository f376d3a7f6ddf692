/** Standard Schema (standardschema.dev, version 1): the interface that zod, valibot and arktype share. */

export interface StandardSchema<Output = unknown, Input = Output> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): Checked<Output> | Promise<Checked<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type Checked<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export function isStandardSchema(value: unknown): value is StandardSchema {
  const carries = (typeof value === "object" && value !== null) || typeof value === "function";
  return carries && "~standard" in value && typeof value["~standard"] === "object";
}

/** The ways in which an object schema names its parts; the standard has none. */
interface Parts {
  /** zod */
  readonly shape?: unknown;
  /** valibot */
  readonly entries?: unknown;
  /** arktype */
  readonly props?: unknown;
  get?(key: string): unknown;
}

/** The schemas of the keys of an object schema, or `undefined` when it does not tell them. */
export function partsOf(schema: StandardSchema): Readonly<Record<string, StandardSchema>> | undefined {
  const { shape, entries, props } = schema as Parts;
  const named = isRecord(shape) ? shape : isRecord(entries) ? entries : undefined;
  if (named !== undefined) {
    return Object.fromEntries(Object.entries(named).filter(([, part]) => isStandardSchema(part))) as Record<
      string,
      StandardSchema
    >;
  }
  if (!Array.isArray(props)) return undefined;
  const keys = (props as readonly { readonly key: string }[]).map(({ key }) => key);
  return Object.fromEntries(
    keys.map((key) => [key, (schema as Parts).get?.(key)]).filter(([, part]) => isStandardSchema(part)),
  ) as Record<string, StandardSchema>;
}

/** Prints what a schema found, one sentence for each issue. */
export function printIssues(name: string, issues: readonly SchemaIssue[]): string {
  return issues
    .map(({ message, path = [] }) => {
      const steps = path.map((step) => `.${String(typeof step === "object" ? step.key : step)}`);
      return `${name}${steps.join("")}: ${message}`;
    })
    .join("; ");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
