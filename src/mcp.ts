/** `batonjs/mcp`: the tools of a graph for agents, over the Model Context Protocol. It needs `@modelcontextprotocol/sdk`. */

export type { Approval, Asked, Finish, SendVerdict, StagedSend } from "./agent/agent.ts";
export type { Offer, ToolDesk, ToolDesks } from "./agent/tool-desk.ts";
export { GraphServer, SERVER_NAME } from "./providers/mcp/graph-server.ts";
