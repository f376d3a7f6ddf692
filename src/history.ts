/** `batonjs/history`: what can be done with a run that was recorded: replay, fork, diff, bundles, retention. */

export { BundleDamage, type Redacted } from "./history/bundle.ts";
export {
  type Divergence,
  diffRuns,
  type RunSide,
  type RunsDiff,
  type TextDiff,
  type VisitDiff,
} from "./history/diff.ts";
export { diffText } from "./history/diff-text.ts";
export type { Difference } from "./history/difference.ts";
export type { Edit } from "./history/edit.ts";
export type { Evidence, ReplayProgram } from "./history/evidence.ts";
export { type Exported, type ExportedTrees, type ExportOptions, exportRun } from "./history/export.ts";
export { type Forked, type ForkOptions, forkRun } from "./history/fork.ts";
export { type ForkedFolder, type ForkedFolderOptions, forkFolder } from "./history/forked-folder.ts";
export {
  type ForkedWorktrees,
  type ForkedWorktreesOptions,
  forkWorktrees,
  type PicturedWorktree,
  worktreesAt,
} from "./history/forked-worktrees.ts";
export type { Caller } from "./history/gone-caller.ts";
export {
  type BundleContent,
  type Imported,
  type ImportOptions,
  importRun,
  openBundle,
} from "./history/import.ts";
export { type Damage, type Inspection, inspectJournal } from "./history/inspect.ts";
export type { Gap, RunReplay } from "./history/log-replay.ts";
export { type Pruned, type PrunedRun, type PruneOptions, pruneRuns } from "./history/prune.ts";
export { recordedInbox } from "./history/recorded-inbox.ts";
export { recordedLoadout } from "./history/recorded-loadout.ts";
export type { RedactOptions } from "./history/redact.ts";
export { type ReplayOptions, type ReplayReport, replayRun } from "./history/replay.ts";
export type { NodePart, ReplayDifference } from "./history/replay-difference.ts";
export {
  graphPrograms,
  logPrograms,
  type ProgramFor,
  recordedPrograms,
  rerunPrograms,
  type Wanted,
} from "./history/replay-program.ts";
export { SpanFold, spansOf, type TraceSpan } from "./history/spans.ts";
export { stateHash } from "./history/state-hash.ts";
export { type Packed, type Picture, TreeStore, unpackTrees } from "./history/tree-store.ts";
export { type RecordedTree, treeAt, treesOf } from "./history/trees.ts";
