/** The least that a durable superstep could cost in memory: freeze a snapshot, wait for the node, record three objects. */

export async function handWrittenLoop(steps: number): Promise<{ n: number }> {
  const node = async (state: { readonly n: number }) => ({ n: state.n + 1 });
  const log: object[] = [];
  let state: Readonly<{ n: number; sum: number }> = Object.freeze({ n: 0, sum: 0 });
  let seq = 0;
  const record = (fact: object) => log.push({ run: "bench", seq: ++seq, at: Date.now(), ...fact });
  for (let step = 1; state.n < steps; step++) {
    const task = `${step}/a`;
    record({ type: "opened", step, tasks: [{ task, node: "a" }] });
    const update = await node(state);
    record({ type: "finished", task, update });
    state = Object.freeze({ ...state, ...update });
    record({ type: "committed", step, patches: [update] });
  }
  return { n: state.n };
}
