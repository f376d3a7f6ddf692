/**
 * Speech is what an agent says in an exchange, message by message.
 *
 * 1. The final message is what it said after its last tool call, or else the last thing that it said.
 */

export class Speech {
  readonly #messages: string[] = [""];
  #id: string | undefined;

  /** The final message (1). */
  get message(): string {
    return (this.#messages.findLast((text) => text.trim() !== "") ?? "").trim();
  }

  /** Takes a piece in; one with another id than the one before begins a message. */
  add(text: string, id: string | undefined): void {
    if (id !== undefined && this.#id !== undefined && id !== this.#id) this.breakOff();
    this.#id = id ?? this.#id;
    this.#messages.push((this.#messages.pop() ?? "") + text);
  }

  /** What is said from now on is another message. */
  breakOff(): void {
    this.#messages.push("");
  }
}

/** A plan as a text: an entry on each line. */
export function planText(entries: readonly { readonly content: string; readonly status: string }[]): string {
  const marks: Readonly<Record<string, string>> = { completed: "x", in_progress: "~" };
  return entries.map(({ content, status }) => `[${marks[status] ?? " "}] ${content}\n`).join("");
}
