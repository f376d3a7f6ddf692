/** Names: what authors call things, and the readable ids that the kernel derives from them. */

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** What an author calls a node. */
export type NodeName = string;
/** What a dialect calls a channel. */
export type ChannelName = string;
/** One run, that is one log. */
export type RunId = Branded<"run">;
/** One execution of a node: `3/review`, and `3/write#2` for the third `write` of step 3. */
export type TaskId = Branded<"task">;
/** One question of a task: `3/review:0`. */
export type QuestionId = Branded<"question">;

const RUN_ID = /^[\p{L}\p{N}][\p{L}\p{N}._~:@/+=-]{0,199}$/u;

/** Accepts a text as the id of a run, or says why it cannot be one. */
export function runId(text: string): RunId {
  if (!RUN_ID.test(text)) {
    throw new RangeError(
      `${JSON.stringify(text)} cannot name a run: use 1 to 200 letters, digits and ._~:@/+=- and start with a letter or digit.`,
    );
  }
  return text as RunId;
}

/** Derives the id of the task that is the `index`-th execution of a node in a step, counted from 0. */
export function taskId(step: number, node: NodeName, index: number): TaskId {
  return (index === 0 ? `${step}/${node}` : `${step}/${node}#${index}`) as TaskId;
}

/** Derives the id of the `index`-th question of a task, counted from 0. */
export function questionId(task: TaskId, index: number): QuestionId {
  return `${task}:${index}` as QuestionId;
}

/** Derives the id of the run that a task starts under a key. */
export function childRunId(parent: RunId, task: TaskId, key: string): RunId {
  return `${parent}/${task}${key === "" ? "" : `~${key}`}` as RunId;
}

/** Finds the known name that a person most likely meant, for "did you mean" hints; some letter of it must be right. */
export function closest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.min(name.length, Math.max(1, Math.floor(name.length / 3)) + 1);
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), least);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** The fewest letters to insert, delete, replace or swap with their neighbour, or `limit` when it is at least that. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwapped ? (before[j - 2] as number) + 1 : replace;
      row.push(Math.min(replace, swap, (previous[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    [before, previous] = [previous, row];
  }
  return Math.min(previous[b.length] as number, limit);
}
