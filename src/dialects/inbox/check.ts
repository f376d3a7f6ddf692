/** The rules of an inbox file that its shape cannot state; each tolerates whatever the others complain about. */

import { type Issue, pointer } from "../../base/issue.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { closest } from "../../base/names.ts";
import { DEFAULT_TOOLS, type NodeKind, USER } from "./definition.ts";

type Report = (issue: Omit<Issue, "severity"> & { readonly severity?: Issue["severity"] }) => void;

/** What there is to look at in a file whose shape may be wrong. */
interface Sketch {
  readonly file: JsonObject;
  readonly nodes: ReadonlyMap<string, JsonObject>;
  /** Those that are objects, with their place. */
  readonly edges: readonly { readonly at: string; readonly edge: JsonObject }[];
}

type Rule = (sketch: Sketch, report: Report) => void;

const RULES: readonly Rule[] = [
  ...[hasNodes, nodeNames, sharedWriters],
  ...[endpoints, edgeIds, selfEdges, autoEdges, orchestrators],
];

/** The issues of a file besides those of its shape. */
export function inboxIssues(file: JsonObject): Issue[] {
  const issues: Issue[] = [];
  const sketch = sketchOf(file);
  for (const rule of RULES)
    rule(sketch, ({ severity = "error", ...issue }) => issues.push({ severity, ...issue }));
  return issues;
}

function sketchOf(file: JsonObject): Sketch {
  const nodes = isJsonObject(file["nodes"]) ? Object.entries(file["nodes"]) : [];
  const edges: readonly Json[] = Array.isArray(file["edges"]) ? file["edges"] : [];
  return {
    file,
    nodes: new Map(nodes.map(([id, node]) => [id, isJsonObject(node) ? node : {}])),
    edges: edges.flatMap((edge, index) => {
      return isJsonObject(edge) ? [{ at: pointer("edges", index), edge }] : [];
    }),
  };
}

function hasNodes({ file, nodes }: Sketch, report: Report): void {
  if (nodes.size > 0 || !isJsonObject(file["nodes"])) return;
  const message = "The graph has no nodes, so there is nobody to write to.";
  report({ code: "no_nodes", pointer: "/nodes", message, hint: "Add a node with a kind and a prompt." });
}

/** Names stand in commands (`coder=TEXT`), in prompts and in the names of channels. */
const NODE_NAME = /^[\p{L}\p{N}][\p{L}\p{N}_. -]{0,63}$/u;

function nodeNames({ nodes }: Sketch, report: Report): void {
  for (const id of nodes.keys()) {
    const at = pointer("nodes", id);
    if (id === USER) {
      const message = `"${USER}" is the sender of what people write and cannot be a node.`;
      report({ code: "reserved_name", pointer: at, message, hint: "Give the node another id." });
    } else if (!NODE_NAME.test(id)) {
      const message = `${JSON.stringify(id)} cannot be the id of a node.`;
      const hint =
        "Use 1 to 64 letters, digits, spaces and the signs . _ - and begin with a letter or digit.";
      report({ code: "bad_name", pointer: at, message, hint });
    }
  }
}

/** Of several nodes that may write, one that shares the folder gets the changes of the others into its diffs. */
function sharedWriters({ nodes }: Sketch, report: Report): void {
  const writers = [...nodes].filter(([, { kind, tools = defaultTools(kind) }]) => {
    return tools === "coding" || isJsonObject(tools);
  });
  if (writers.length < 2) return;
  for (const [id, { workspace }] of writers) {
    if (workspace !== "shared") continue;
    const message = `${id} may write to the folder while others do, and its diffs may hold their changes.`;
    const hint = 'Leave the workspace out, so that such turns wait for each other, or use "worktree".';
    const at = pointer("nodes", id, "workspace");
    report({ severity: "warning", code: "shared_writers", pointer: at, message, hint });
  }
}

function defaultTools(kind: Json | undefined): Json {
  return typeof kind === "string" && Object.hasOwn(DEFAULT_TOOLS, kind)
    ? (DEFAULT_TOOLS[kind as NodeKind] as Json) // it is one of the keys
    : "none";
}

function endpoints({ nodes, edges }: Sketch, report: Report): void {
  for (const { at, edge } of edges) {
    for (const end of ["from", "to"]) {
      const id = edge[end];
      if (typeof id !== "string" || nodes.has(id)) continue;
      const meant = closest(id, nodes.keys());
      const hint =
        meant === undefined
          ? `Nodes here: ${[...nodes.keys()].join(", ") || "none"}.`
          : `Did you mean ${JSON.stringify(meant)}?`;
      const message = `The edge's ${end} is ${JSON.stringify(id)}, and there is no node of that id.`;
      report({ code: "unknown_endpoint", pointer: `${at}/${end}`, message, hint });
    }
  }
}

function edgeIds({ edges }: Sketch, report: Report): void {
  const seen = new Map<string, string>();
  for (const { at, edge } of edges) {
    const { id } = edge;
    if (typeof id !== "string") continue;
    const first = seen.get(id);
    if (first === undefined) seen.set(id, at);
    else {
      const message = `Two edges have the id ${JSON.stringify(id)}; the other one is ${first}.`;
      report({
        code: "duplicate_id",
        pointer: `${at}/id`,
        message,
        hint: "Give each edge an id of its own.",
      });
    }
  }
}

function selfEdges({ edges }: Sketch, report: Report): void {
  for (const { at, edge } of edges) {
    if (edge["from"] !== edge["to"] || edge["direction"] !== "bidirectional") continue;
    const message = "An edge from a node to itself has one direction only; this one is taken as directional.";
    const hint = 'Write "direction": "directional", or leave it out.';
    report({
      severity: "warning",
      code: "self_edge_bidirectional",
      pointer: `${at}/direction`,
      message,
      hint,
    });
  }
}

/** A node that hears its own final message runs for ever. */
function autoEdges({ edges }: Sketch, report: Report): void {
  for (const { at, edge } of edges) {
    if (edge["auto"] !== true || edge["from"] !== edge["to"]) continue;
    const message = "An automatic edge from a node to itself would hand the node its own words again.";
    report({ code: "auto_self_edge", pointer: `${at}/auto`, message, hint: "Remove auto from this edge." });
  }
}

function orchestrators({ file, nodes }: Sketch, report: Report): void {
  if (file["mode"] !== "auto") return;
  const found = [...nodes].filter(([, { kind }]) => kind === "orchestrator").map(([id]) => id);
  if (found.length === 1) return;
  const message =
    found.length === 0
      ? "In the mode auto an orchestrator takes the automatic turns, and there is none."
      : `In the mode auto one orchestrator takes the automatic turns, and there are ${found.length}: ${found.join(", ")}.`;
  const hint = 'Give exactly one node the kind "orchestrator", or use the mode interactive.';
  report({ code: "orchestrator_count", pointer: "/mode", message, hint });
}
