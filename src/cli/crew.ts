/** The crew is the real agents that this process has started; it sends them home when its work is done. */

import type { Agent } from "../agent/agent.ts";

export interface Member extends Agent {
  close(): Promise<void>;
}

const members: Set<Member> = new Set();

/** Remembers an agent that has to be closed. */
export function join(member: Member): Member {
  members.add(member);
  return member;
}

/** Closes every agent; one that fails at it keeps nobody from the others. */
export async function sendHome(): Promise<void> {
  const leaving = [...members];
  members.clear();
  await Promise.allSettled(leaving.map((member) => member.close()));
}
