/** A visit of a comparison by what people call its node, with its key: `Socket-4@WI-1#2` is the second on that item. */

import { useQueries } from "@tanstack/react-query";
import { api } from "../../model/api.ts";
import { type NameOf, namesIn } from "../../model/baton.ts";

interface VisitNameProps {
  readonly visit: string;
  readonly nameOf: NameOf;
}

export function VisitName({ visit, nameOf }: VisitNameProps) {
  const node = nodeOf(visit);
  const name = nameOf(node);
  return (
    <>
      {name !== node && <b>{name} </b>}
      <code>{visit}</code>
    </>
  );
}

/** The node of a visit, by its key. */
export function nodeOf(visit: string): string {
  return visit.replace(/[@#].*$/s, "");
}

/** What both runs call a node; its id where they differ. */
export function useNames(runs: readonly [string, string]): NameOf {
  const [left, right] = useQueries({
    queries: runs.map((run) => ({ queryKey: ["run", run], queryFn: () => api.run(run) })),
  });
  const nameLeft = namesIn(left?.data?.drawing);
  const nameRight = namesIn(right?.data?.drawing);
  return (node) => {
    const [one, other] = [nameLeft(node), nameRight(node)];
    if (one === other || other === node) return one;
    return one === node ? other : node;
  };
}
