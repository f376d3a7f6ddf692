/**
 * Calls at a desk, each done once: a call that comes again, because the connection broke before its answer was through, is
 * answered like the first.
 *
 * 1. A call is told by the connection that its agent keeps open to the desk, and by its number there. Where an agent
 *    names no connection nobody can tell, and every call is another one.
 * 2. The same number with other words is another call.
 * 3. A call goes on as long as anybody waits for its answer. One that everybody has left before it was answered is
 *    forgotten: it was given up, and may be made anew.
 */

/** How many calls are remembered: more than an agent makes before it would ask again for the first. */
const REMEMBERED = 256;

/** Which call it is (1). */
export interface CallId {
  /** The connection, as the protocol names it. */
  readonly connection: string;
  /** The number of the request. */
  readonly request: string | number;
  /** What is called, with what (2). */
  readonly words: string;
}

interface Made<T> {
  readonly answer: Promise<T>;
  readonly gone: AbortController;
  waiting: number;
  isAnswered: boolean;
}

export class CallsOnce<T> {
  /** By what tells them, the oldest first. */
  readonly #made: Map<string, Made<T>> = new Map();

  /** The answer to a call, which is made when this is the first that is heard of it; `left` fires when its asker leaves. */
  answer(id: CallId | undefined, left: AbortSignal, call: (gone: AbortSignal) => Promise<T>): Promise<T> {
    if (id === undefined) return call(left);
    const key = JSON.stringify([id.connection, id.request, id.words]);
    const made = this.#made.get(key) ?? this.#make(key, call);
    made.waiting++;
    const leave = (): void => {
      made.waiting--;
      if (made.waiting > 0 || made.isAnswered) return;
      this.#made.delete(key); // (3)
      made.gone.abort();
    };
    if (left.aborted) leave();
    else left.addEventListener("abort", leave, { once: true });
    return made.answer;
  }

  #make(key: string, call: (gone: AbortSignal) => Promise<T>): Made<T> {
    const gone = new AbortController();
    const answer = call(gone.signal);
    const made: Made<T> = { answer, gone, waiting: 0, isAnswered: false };
    const isOver = (): void => {
      made.isAnswered = true;
    };
    answer.then(isOver, isOver);
    this.#made.set(key, made);
    const [oldest] = this.#made.keys();
    if (this.#made.size > REMEMBERED && oldest !== undefined) this.#made.delete(oldest);
    return made;
  }
}
