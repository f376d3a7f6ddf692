/** Options are read by their names, so a name that nobody reads is a mistake and is told before anything runs. */

import { type Issue, pointer } from "../../base/issue.ts";
import { isObject } from "../../base/json.ts";
import { closest, type NodeName } from "../../base/names.ts";
import type { CompileOptions } from "./compile-options.ts";
import type { DraftNode } from "./draft.ts";
import { GraphError } from "./errors.ts";
import { type NodeDefaults, type NodeOptions, type RetryPolicy, timeoutOf } from "./node-options.ts";

/** A table with a row for each option, so that the compiler misses one that is added. */
type Names<Options> = Readonly<Record<keyof Options, true>>;

const RETRY: Names<RetryPolicy> = {
  initialInterval: true,
  backoffFactor: true,
  maxInterval: true,
  maxAttempts: true,
  jitter: true,
  retryOn: true,
};
const DEFAULTS: Names<NodeDefaults> = { retryPolicy: true, timeout: true, cache: true, onError: true };
const NODE: Names<NodeOptions> = { ...DEFAULTS, ends: true, input: true, defer: true };
/** What is wrong with the options of a node. */
export function checkNodeOptions({ name, action, options }: DraftNode): Issue[] {
  const what = `node ${JSON.stringify(name)}`;
  const at = ["nodes", name];
  if (!isObject(options)) {
    const why = `The options of ${what} are no plain object.`;
    return [invalid(at, why, `Give some of: ${Object.keys(NODE).join(", ")}.`)];
  }
  const { ends, ...more } = options as NodeOptions;
  return [
    ...unknownOptions(options, NODE, { at, what }),
    ...(ends === undefined || Array.isArray(ends)
      ? []
      : [invalid([...at, "ends"], `The ends of ${what} are no list.`, "Give a list of nodes.")]),
    ...checkDefaults(more, { at, what }),
    ...(typeof action === "function" ? [] : graphIssues(name, options)),
  ];
}

/** What is wrong with the options of compile(). */
export function checkCompileOptions(options: CompileOptions): Issue[] {
  const { pace, maxConcurrency, defaults = {} } = options;
  const isCount = maxConcurrency === undefined || (Number.isInteger(maxConcurrency) && maxConcurrency > 0);
  return [
    ...(pace === undefined || pace === "step" || pace === "turn"
      ? []
      : [invalid(["pace"], `The pace is ${print(pace)}.`, `Give "step" or "turn".`)]),
    ...(isCount || maxConcurrency === Number.POSITIVE_INFINITY
      ? []
      : [
          invalid(
            ["maxConcurrency"],
            `maxConcurrency is ${print(maxConcurrency)}.`,
            "Give a whole number of at least 1.",
          ),
        ]),
    ...unknownOptions(defaults, DEFAULTS, { at: ["defaults"], what: "the defaults" }),
    ...checkDefaults(defaults, { at: ["defaults"], what: "all nodes" }),
  ];
}

/** The options that nobody reads. */
export function unknownOptions(
  given: object,
  known: Readonly<Record<string, true>>,
  { at, what }: { readonly at: readonly string[]; readonly what: string },
): Issue[] {
  const names = Object.keys(given).filter((name) => !Object.hasOwn(known, name));
  return names.map((name) => {
    const meant = closest(name, Object.keys(known));
    const names = Object.keys(known).join(", ");
    const hint = meant === undefined ? `The options are: ${names}.` : `Did you mean "${meant}"?`;
    return invalid([...at, name], `There is no option ${JSON.stringify(name)} for ${what}.`, hint);
  });
}

interface Place {
  readonly at: readonly string[];
  readonly what: string;
}

function checkDefaults({ retryPolicy, timeout, onError }: NodeDefaults, { at, what }: Place): Issue[] {
  const isForm = timeout === undefined || typeof timeout === "number" || isObject(timeout);
  const limits = isForm ? Object.values(timeoutOf(timeout) ?? {}) : [timeout];
  return [
    ...limits
      .filter((limit) => limit !== undefined && !(typeof limit === "number" && limit > 0))
      .map((limit) => {
        const why = `The timeout of ${what} is ${print(limit)}.`;
        return invalid([...at, "timeout"], why, "Give milliseconds, more than 0.");
      }),
    ...(onError === undefined || typeof onError === "function"
      ? []
      : [invalid([...at, "onError"], `The onError of ${what} is no function.`, "Give a function.")]),
    ...checkRetry(retryPolicy, { at: [...at, "retryPolicy"], what: `the retryPolicy of ${what}` }),
  ];
}

/** What is wrong with a retry policy. */
export function checkRetry(policy: RetryPolicy | undefined, { at, what }: Place): Issue[] {
  if (policy === undefined) return [];
  if (!isObject(policy))
    return [invalid(at, `There is no object as ${what}.`, "Give an object such as { maxAttempts: 3 }.")];
  const {
    maxAttempts = 1,
    initialInterval = 0,
    maxInterval = 0,
    backoffFactor = 1,
    retryOn,
  } = policy as RetryPolicy;
  const numbers = Object.entries({ initialInterval, maxInterval, backoffFactor });
  const isAsked = typeof retryOn === "function" && !isErrorClass(retryOn);
  return [
    ...unknownOptions(policy, RETRY, { at, what }),
    ...(Number.isInteger(maxAttempts) && maxAttempts > 0
      ? []
      : [
          invalid(
            [...at, "maxAttempts"],
            `maxAttempts is ${print(maxAttempts)} in ${what}.`,
            "Give a whole number of at least 1.",
          ),
        ]),
    ...numbers
      .filter(([, value]) => !(typeof value === "number" && value >= 0))
      .map(([name, value]) =>
        invalid([...at, name], `${name} is ${print(value)} in ${what}.`, "Give a number of at least 0."),
      ),
    ...(retryOn === undefined || isAsked || Array.isArray(retryOn)
      ? []
      : [
          invalid(
            [...at, "retryOn"],
            `retryOn is no question in ${what}.`,
            "Give a function of the error, or a list of classes.",
          ),
        ]),
  ];
}

/** A class of errors alone would be called as a function, and be truthy for every error. */
function isErrorClass(value: object): boolean {
  return value === Error || ("prototype" in value && value.prototype instanceof Error);
}

function graphIssues(name: NodeName, { timeout, cache }: NodeOptions): Issue[] {
  const given = [...(timeout === undefined ? [] : ["timeout"]), ...(cache === undefined ? [] : ["cache"])];
  return given.map((option) => {
    const why = `Node ${JSON.stringify(name)} is a graph and has the option ${option}.`;
    return invalid(["nodes", name, option], why, "Give the option to the nodes of that graph.");
  });
}

/** Throws a `GraphError` that holds all of these issues, if there are any. */
export function refuseIssues(issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  throw new GraphError(issues.map(({ message, hint }) => `${message} ${hint}`).join(" "));
}

/** An option that has to be another. */
export function invalid(at: readonly string[], message: string, hint: string): Issue {
  return { severity: "error", code: "invalid_option", pointer: pointer(...at), message, hint };
}

function print(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
