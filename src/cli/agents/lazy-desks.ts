/**
 * Lazy desks offer the tools of a graph to agents once one of them wants some; their package is optional, so it may be
 * missing. Whoever has to write to other nodes cannot do without; whoever could only ask a person can.
 */

import type { Offer, ToolDesk, ToolDesks } from "../../agent/tool-desk.ts";
import type { GraphServer } from "../../providers/mcp/graph-server.ts";
import { Misuse } from "../misuse.ts";
import { loadOptional } from "./load-optional.ts";

const SDK = "@modelcontextprotocol/sdk";

export class LazyDesks implements ToolDesks {
  #server: Promise<GraphServer> | undefined;

  async open(tools: readonly (keyof Offer)[]): Promise<ToolDesk | undefined> {
    this.#server ??= load();
    try {
      return await (await this.#server).open(tools);
    } catch (error) {
      if (!(error instanceof Misuse)) throw error;
      if (!tools.includes("send")) return undefined;
      throw new Error([error.message, error.hint].join(" ").trim());
    }
  }

  async close(): Promise<void> {
    const server = await this.#server?.catch(() => undefined); // what never loaded is closed
    await server?.close();
  }
}

async function load(): Promise<GraphServer> {
  const what = "Agents reach the graph that they are in through";
  const { GraphServer: Server } = await loadOptional(
    SDK,
    what,
    () => import("../../providers/mcp/graph-server.ts"),
  );
  return new Server();
}
