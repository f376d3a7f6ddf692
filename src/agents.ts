/** The door to agents: the port that all of them pass through, and those that need no package but this one. */

export {
  type Agent,
  type Approval,
  type Asked,
  addUsage,
  NO_USAGE,
  type Progress,
  type SendVerdict,
  type SessionRequest,
  type StagedSend,
  type Tools,
  type Turn,
  type TurnRequest,
  UNKNOWN_USAGE,
  type Usage,
} from "./agent/agent.ts";
export type { CommandRequest, CommandResult, Commands } from "./agent/command.ts";
export { DEFAULT_POLICY, type Policy, policyWith, type ToolKind, type Verdict } from "./agent/policy.ts";
export { RecordedAgent, type RecordedOptions, RecordingAgent, type TapeEntry } from "./agent/recorded.ts";
export { type ParsedScript, parseScript, type Script } from "./agent/script.ts";
export { ScriptedAgent, type ScriptedOptions } from "./agent/scripted.ts";
export type { Workspace } from "./agent/workspace.ts";
export { CommandAgent, type CommandAgentOptions } from "./providers/agent-command/command-agent.ts";
export { LocalCommands, type LocalCommandsOptions } from "./providers/command/local-commands.ts";
export { type OpenPiOptions, openPi } from "./providers/pi/open-pi.ts";
export { PiAgent, type PiAgentOptions, type PiLimits } from "./providers/pi/pi-agent.ts";
export type { PiConnect, PiStart, PiWire } from "./providers/pi/pi-wire.ts";
export { LocalWorkspace } from "./providers/workspace/local-workspace.ts";
