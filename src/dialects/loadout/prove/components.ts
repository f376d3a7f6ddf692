/** The strongly connected components of a graph, in an order in which every component comes before those that lead to it. */

/** Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972), without recursion. */
export function components<N>(nodes: Iterable<N>, next: (node: N) => readonly N[]): N[][] {
  const marks = new Map<N, Mark>();
  const open: N[] = [];
  const found: N[][] = [];
  for (const root of nodes) {
    if (!marks.has(root)) search(root, { next, marks, open, found });
  }
  return found;
}

interface Mark {
  readonly index: number;
  low: number;
  isOpen: boolean;
}

interface Search<N> {
  readonly next: (node: N) => readonly N[];
  readonly marks: Map<N, Mark>;
  readonly open: N[];
  readonly found: N[][];
}

interface Visit<N> {
  readonly node: N;
  readonly mark: Mark;
  readonly targets: readonly N[];
  place: number;
}

function search<N>(root: N, { next, marks, open, found }: Search<N>): void {
  const way: Visit<N>[] = [begin(root)];
  for (let visit = way.at(-1); visit !== undefined; visit = way.at(-1)) {
    const target = visit.targets[visit.place++];
    if (target === undefined) {
      way.pop();
      const above = way.at(-1)?.mark;
      if (above !== undefined) above.low = Math.min(above.low, visit.mark.low);
      if (visit.mark.low === visit.mark.index) found.push(close(visit.node));
      continue;
    }
    const mark = marks.get(target);
    if (mark === undefined) way.push(begin(target));
    else if (mark.isOpen) visit.mark.low = Math.min(visit.mark.low, mark.index);
  }

  function begin(node: N): Visit<N> {
    const mark = { index: marks.size, low: marks.size, isOpen: true };
    marks.set(node, mark);
    open.push(node);
    return { node, mark, targets: next(node), place: 0 };
  }

  function close(last: N): N[] {
    const component: N[] = [];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      (marks.get(node) as Mark).isOpen = false;
      component.push(node);
      if (node === last) break;
    }
    return component;
  }
}
