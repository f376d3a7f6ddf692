/** A check finds everything that is wrong with a draft, before anything runs. */

import { type Issue, pointer } from "../../base/issue.ts";
import { closest, type NodeName } from "../../base/names.ts";
import { checkNodeOptions, invalid } from "./check-options.ts";
import type { Branch, Draft } from "./draft.ts";
import { END, START } from "./names.ts";
import type { NodeOptions } from "./node-options.ts";

/** The issues of a draft, all of them; none when it can be compiled. */
export function checkDraft(draft: Draft): Issue[] {
  const names = new Set(draft.nodes.map(({ name }) => name));
  return [...nodeIssues(draft), ...edgeIssues(draft, names), ...entryIssues(draft), ...exitIssues(draft)];
}

/** The nodes where a run is to pause must exist. */
export function checkPauses(draft: Draft, option: string, pauses: readonly NodeName[] | "*"): Issue[] {
  if (pauses === "*") return [];
  if (!Array.isArray(pauses)) {
    return [
      invalid([option], `${option} is no list of nodes.`, `Give a list of names, or "*" for all nodes.`),
    ];
  }
  const names = new Set(draft.nodes.map(({ name }) => name));
  return pauses
    .filter((name) => !names.has(name))
    .map((name) => unknown(name, names, { at: [option], what: `${option} names` }));
}

/** The targets that an author declared for a conditional edge. */
export function declaredTargets({ pathMap }: Branch): readonly NodeName[] {
  return pathMap === undefined ? [] : (Object.values(pathMap) as NodeName[]);
}

function nodeIssues({ nodes }: Draft): Issue[] {
  if (nodes.length === 0) {
    return [
      error("empty_graph", ["nodes"], "The graph has no nodes.", "Add one with addNode(name, action)."),
    ];
  }
  const seen = new Set<NodeName>();
  return nodes.flatMap((node) => {
    const { name, action } = node;
    const issues: Issue[] = [];
    const at = ["nodes", name];
    const quoted = JSON.stringify(name);
    if (name === START || name === END)
      issues.push(
        error("reserved_name", at, `${quoted} is a reserved name.`, "Call the node something else."),
      );
    else if (name === "" || name.startsWith(">") || name.includes("#")) {
      const why = `${quoted} cannot name a node: it is empty, begins with ">" or contains "#".`;
      issues.push(error("reserved_name", at, why, "Call the node something else."));
    }
    if (seen.has(name))
      issues.push(error("duplicate_node", at, `Two nodes are called ${quoted}.`, "Rename one of them."));
    seen.add(name);
    const isGraph = typeof action === "object" && action !== null && "graph" in action;
    if (typeof action !== "function" && !isGraph) {
      const hint = "Give a function, or a graph that was compiled.";
      issues.push(error("invalid_action", at, `Node ${quoted} has no action that could be run.`, hint));
    }
    issues.push(...checkNodeOptions(node));
    return issues;
  });
}

function edgeIssues(draft: Draft, names: ReadonlySet<NodeName>): Issue[] {
  const source = (name: NodeName, at: string[]): Issue[] => {
    if (name === START || names.has(name)) return [];
    if (name !== END) return [unknown(name, names, { at, what: "An edge starts at", as: "source" })];
    return [error("end_as_source", at, "END is the source of an edge.", "Nothing comes after END.")];
  };
  const target = (name: NodeName, at: string[], what = "An edge leads to"): Issue[] => {
    if (name === END || names.has(name)) return [];
    if (name !== START) return [unknown(name, names, { at, what })];
    return [
      error("start_as_target", at, "START is the target of an edge.", "Lead to the first node instead."),
    ];
  };
  return [
    ...draft.edges.flatMap(([from, to], index) => {
      const at = ["edges", String(index)];
      return [...source(from, at), ...target(to, at)];
    }),
    ...draft.joins.flatMap(({ sources, target: to }, index) => {
      const at = ["joins", String(index)];
      return [...joinIssues(sources, at), ...sources.flatMap((name) => source(name, at)), ...target(to, at)];
    }),
    ...draft.branches.flatMap((branch) => {
      const at = ["branches", branch.source];
      const targets = declaredTargets(branch).flatMap((name) => target(name, at, "A path map leads to"));
      return [...source(branch.source, at), ...pathIssues(branch, at), ...targets];
    }),
    ...draft.nodes.flatMap(({ name, options }) =>
      endsOf(options).flatMap((end) => target(end, ["nodes", name, "ends"], `Node ${name} declares the end`)),
    ),
  ];
}

function pathIssues({ source, path }: Branch, at: string[]): Issue[] {
  if (typeof path === "function") return [];
  const why = `The conditional edge of ${source} has no path function.`;
  return [error("invalid_path", at, why, "Give a function of the state that says where to go.")];
}

/** What is no list is an issue of its own. */
function endsOf({ ends }: NodeOptions): readonly NodeName[] {
  return Array.isArray(ends) ? ends : [];
}

function joinIssues(sources: readonly NodeName[], at: string[]): Issue[] {
  if (sources.length === 0)
    return [error("unknown_source", at, "A waiting edge waits for no node.", "Name the nodes to wait for.")];
  if (!sources.includes(START)) return [];
  return [error("unknown_source", at, "A waiting edge waits for START.", "Wait for nodes only.")];
}

function entryIssues({ edges, branches, nodes }: Draft): Issue[] {
  if (nodes.length === 0) return [];
  const sources = [...edges.map(([source]) => source), ...branches.map(({ source }) => source)];
  if (sources.includes(START)) return [];
  const hint = "Add an edge from START, or call setEntryPoint(name).";
  return [error("no_entry", ["edges"], "The graph has no entry.", hint)];
}

function exitIssues({ nodes, edges, joins, branches }: Draft): Issue[] {
  const sources = new Set([
    ...edges.map(([source]) => source),
    ...joins.flatMap((join) => join.sources),
    ...branches.map(({ source }) => source),
  ]);
  const names = new Set(nodes.map(({ name }) => name));
  const stuck = [...names].filter(
    (name) =>
      !sources.has(name) &&
      name !== START &&
      name !== END &&
      !nodes.some((node) => node.name === name && node.options.ends?.length),
  );
  const hint = "Add an edge from it (to END when it is the last), or declare where it goes with `ends`.";
  return stuck.map((name) => {
    const message = `Node ${JSON.stringify(name)} has no way out.`;
    return error("dead_end", ["nodes", name], message, hint);
  });
}

function unknown(
  name: NodeName,
  names: ReadonlySet<NodeName>,
  { at, what, as = "target" }: { at: readonly string[]; what: string; as?: "source" | "target" },
): Issue {
  const meant = closest(name, names);
  const message = `${what} ${JSON.stringify(name)}, which is no node.`;
  const hint = meant === undefined ? `The nodes are: ${[...names].join(", ")}.` : `Did you mean "${meant}"?`;
  return error(`unknown_${as}`, at, message, hint);
}

function error(code: string, at: readonly string[], message: string, hint: string): Issue {
  return { severity: "error", code, pointer: pointer(...at), message, hint };
}
