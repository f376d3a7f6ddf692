/** `batonjs/model`: language models as agents, with tools. It needs `ai`, and the package of a provider (docs/models.md). */

export type { Policy, ToolKind, Verdict } from "./agent/policy.ts";
export { type Conversations, type Entry, MemoryConversations } from "./providers/model/conversations.ts";
export { FileConversations } from "./providers/model/file-conversations.ts";
export { ModelAgent, type ModelAgentOptions, type ModelLimits } from "./providers/model/model-agent.ts";
export type { ModelTool, ToolDiff, ToolPlace } from "./providers/model/model-tool.ts";
export { type ModelChoice, openModel } from "./providers/model/open-model.ts";
export { type ShapedTool, shaped } from "./providers/model/shaped-tool.ts";
