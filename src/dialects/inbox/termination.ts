/** Whether a graph can go on for ever: it can when a message may come back to where it was sent from. */

import type { Termination } from "../termination.ts";
import type { InboxDefinition } from "./definition.ts";
import { Network } from "./network.ts";

/** The verdict on a definition. Automatic turns are limited and do not change it. */
export function terminationOf(definition: InboxDefinition): Termination {
  const cycle = findCycle(definition);
  if (cycle === undefined) return { verdict: "terminates", bound: null, cycle: null };
  return { verdict: "may_not_terminate", bound: null, cycle };
}

/** The first cycle that a search in depth from the first node on runs into. */
function findCycle(definition: InboxDefinition): string[] | undefined {
  const network = new Network(definition);
  const left = new Set<string>();
  const trail: { readonly node: string; readonly next: Iterator<readonly [string, unknown]> }[] = [];
  const enter = (node: string) => trail.push({ node, next: network.contacts(node).values() });
  for (const start of Object.keys(definition.nodes)) {
    if (!left.has(start)) enter(start);
    for (let here = trail.at(-1); here !== undefined; here = trail.at(-1)) {
      const step = here.next.next();
      if (step.done) {
        left.add(here.node);
        trail.pop();
        continue;
      }
      const [to] = step.value;
      const back = trail.findIndex(({ node }) => node === to);
      if (back !== -1) return [...trail.slice(back).map(({ node }) => node), to];
      if (!left.has(to)) enter(to);
    }
  }
  return undefined;
}
