/** `batonjs/history`: what can be done with a run that was recorded: replay, fork, diff, bundles, retention. */

export { BundleDamage, type Redacted } from "./history/bundle/bundle.ts";
export { type Exported, type ExportedTrees, type ExportOptions, exportRun } from "./history/bundle/export.ts";
export {
  type BundleContent,
  type Imported,
  type ImportOptions,
  importRun,
  openBundle,
} from "./history/bundle/import.ts";
export type { RedactOptions } from "./history/bundle/redact.ts";
export {
  type Divergence,
  diffRuns,
  type RunSide,
  type RunsDiff,
  type TextDiff,
  type VisitDiff,
} from "./history/diff/diff.ts";
export { diffText } from "./history/diff/diff-text.ts";
export type { Difference } from "./history/difference.ts";
export type { Edit } from "./history/fork/edit.ts";
export { type Forked, type ForkOptions, forkRun } from "./history/fork/fork.ts";
export { type ForkedFolder, type ForkedFolderOptions, forkFolder } from "./history/fork/forked-folder.ts";
export {
  type ForkedWorktrees,
  type ForkedWorktreesOptions,
  forkWorktrees,
  type PicturedWorktree,
  worktreesAt,
} from "./history/fork/forked-worktrees.ts";
export type { Evidence, ReplayProgram } from "./history/replay/evidence.ts";
export type { Caller } from "./history/replay/gone-caller.ts";
export type { Gap, RunReplay } from "./history/replay/log-replay.ts";
export { recordedInbox } from "./history/replay/recorded-inbox.ts";
export { recordedLoadout } from "./history/replay/recorded-loadout.ts";
export { type ReplayOptions, type ReplayReport, replayRun } from "./history/replay/replay.ts";
export type { NodePart, ReplayDifference } from "./history/replay/replay-difference.ts";
export {
  graphPrograms,
  logPrograms,
  type ProgramFor,
  recordedPrograms,
  rerunPrograms,
  type Wanted,
} from "./history/replay/replay-program.ts";
export { stateHash } from "./history/replay/state-hash.ts";
export { type Damage, type Inspection, inspectJournal } from "./history/retention/inspect.ts";
export { type Pruned, type PrunedRun, type PruneOptions, pruneRuns } from "./history/retention/prune.ts";
export { SpanFold, spansOf, type TraceSpan } from "./history/spans.ts";
export { type Packed, type Picture, TreeStore, unpackTrees } from "./history/tree-store.ts";
export { type RecordedTree, treeAt, treesOf } from "./history/trees.ts";
