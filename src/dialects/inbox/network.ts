/** The network of a graph: over which edge a node may send to which other. */

import type { Edge, InboxDefinition } from "./definition.ts";

export class Network {
  /** By sender, then by receiver: the first edge that points there, else the first that may be taken backwards. */
  readonly #ways: Map<string, Map<string, Edge>> = new Map();
  readonly #auto: Map<string, Edge[]> = new Map();

  constructor({ nodes, edges }: InboxDefinition) {
    for (const id of Object.keys(nodes)) this.#ways.set(id, new Map());
    for (const edge of edges) {
      this.#open(edge.from, edge.to, edge);
      if (edge.auto) this.#auto.set(edge.from, [...this.autoFrom(edge.from), edge]);
    }
    for (const edge of edges) {
      if (edge.direction === "bidirectional") this.#open(edge.to, edge.from, edge);
    }
  }

  /** Says whether there is a node of this id. */
  has(node: string): boolean {
    return this.#ways.has(node);
  }

  /** The edge that takes what one node sends to another. Of parallel ones it is always the same. */
  way(from: string, to: string): Edge | undefined {
    return this.#ways.get(from)?.get(to);
  }

  /** The nodes that a node may send to, each with the edge that leads there. */
  contacts(from: string): readonly (readonly [node: string, edge: Edge])[] {
    return [...(this.#ways.get(from) ?? [])];
  }

  /** The edges that carry a node's final messages, in definition order. */
  autoFrom(node: string): readonly Edge[] {
    return this.#auto.get(node) ?? [];
  }

  #open(from: string, to: string, edge: Edge): void {
    const ways = this.#ways.get(from);
    if (ways !== undefined && !ways.has(to)) ways.set(to, edge);
  }
}
