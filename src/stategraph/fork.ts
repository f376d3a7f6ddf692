/** A fork lets a thread go on from an earlier moment; what came after it stays in the log and is not used again. */

import { invariant } from "../base/failure.ts";
import { GraphError } from "../dialects/graph/errors.ts";
import { archiveState } from "../kernel/archive.ts";
import { loadStateAt } from "../run/load.ts";
import { isCheckpoint, lastCheckpoint } from "./moments.ts";
import { record, type Session } from "./session.ts";

/** Puts the thread back to the moment that the config names, unless that is the latest; says whether it did. */
export async function forkIfOlder(session: Session): Promise<boolean> {
  const { ledger, config } = session;
  const { run, journal } = ledger;
  const seq = await findCheckpoint(session, config.configurable?.checkpoint_id);
  if (seq === (await lastCheckpoint(journal, run, ledger.state.seq))) return false;
  const past = await loadStateAt(journal, run, seq);
  await record(session, (_decide, state, emit) => {
    // Steps are counted on, so that the ids of tasks and questions never name the work of both branches.
    emit({ type: "run.forked", from: { run, seq }, state: { ...archiveState(past), step: state.step } });
  });
  return true;
}

/** The sequence number of a checkpoint. Throws when the thread has no such moment. */
async function findCheckpoint({ ledger }: Session, id: string | undefined): Promise<number> {
  invariant(id !== undefined, "a fork names a checkpoint");
  const seq = Number(id);
  const isNumber = Number.isInteger(seq) && seq > 0;
  const [event] = isNumber ? await ledger.journal.read(ledger.run, seq - 1, 1) : [];
  if (event !== undefined && isCheckpoint(event)) return seq;
  throw new GraphError(
    `Thread ${ledger.run} has no checkpoint ${id}. getStateHistory tells the ids that there are.`,
  );
}
