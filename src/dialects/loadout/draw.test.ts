/** Drawings: every way of a loadout, the exits of loops as derived edges. */
import { describe, expect, test } from "vitest";
import { BUNDLED } from "./bundled.ts";
import { drawLoadout } from "./draw.ts";
import { readLoadout } from "./read.ts";

function drawn(json: Parameters<typeof readLoadout>[0]): ReturnType<typeof drawLoadout> {
  const read = readLoadout(json);
  if (!read.ok) throw new Error(read.errors[0]?.message);
  return drawLoadout(read.definition);
}

describe("Full-Auto", () => {
  const { graph, mermaid } = drawn({ activeLoadout: "Full-Auto" });

  test("sockets carry their materia, its type, and whether it generates", () => {
    expect(graph.nodes.map(({ id }) => id)).toEqual(
      Object.keys(BUNDLED.loadouts?.["Full-Auto"]?.sockets ?? {}),
    );
    expect(graph.nodes[2]).toEqual({
      ...{ id: "Socket-3", label: "Auto-Plan", materia: "Auto-Plan", type: "agent", generator: true },
    });
  });

  test("§6: exits of loops are derived edges with stable ids", () => {
    expect(graph.edges.filter(({ derived }) => derived)[0]).toEqual({
      ...{ id: "loop-exit:workItemIteration:exit:Socket-7:satisfied", from: "Socket-7", to: "Socket-8" },
      ...{ when: "satisfied", conditional: true, derived: true },
    });
  });

  test("conditional edges are dashed, and bounded ones say their bound", () => {
    expect(mermaid).toContain("Socket-4 --> Socket-5");
    expect(mermaid).toContain('Socket-6 -.->|"satisfied"| Socket-7');
    expect(mermaid).toContain('Socket-6 -.->|"not_satisfied ≤ 5"| Socket-5');
    expect(mermaid).toContain('Socket-7 -.->|"done: satisfied"| Socket-8');
    expect(mermaid).toContain("Socket-8 --> finish");
  });
});

test("whatever sockets are called, the text stays Mermaid", () => {
  const { mermaid } = drawn({
    entry: 'a "b"',
    sockets: {
      'a "b"': { materia: "M", edges: [{ when: "always", to: "subgraph" }] },
      subgraph: { materia: "M" },
    },
    materia: { M: { label: "one\n<two>", prompt: "x", tools: "none" } },
  });
  expect(mermaid).toContain('s0["a &quot;b&quot;: one &lt;two>"]');
  expect(mermaid).toContain("s0 --> s1");
});
