/**
 * A tree is a JSON text read with the place of every value, so that one of them can be changed and the rest stay as
 * their author wrote them.
 *
 * 1. It reads what `JSON.parse` reads, and nothing else.
 * 2. Of a key that stands twice the last one counts, as it does for `JSON.parse`.
 */

export type Path = readonly (string | number)[];

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What stands between two commas: a member with its key, or an item. */
export interface Slot extends Span {
  readonly key?: { readonly name: string } & Span;
  readonly value: Tree;
}

export type Tree =
  | ({ readonly kind: "leaf" } & Span)
  | ({ readonly kind: "object" | "array"; readonly slots: readonly Slot[] } & Span);

export type Branch = Exclude<Tree, { readonly kind: "leaf" }>;

export type ReadTree =
  | { readonly ok: true; readonly tree: Tree }
  | { readonly ok: false; readonly message: string; readonly at: number };

/** Reads a text. What is wrong with it comes back with its place; it never throws. */
export function readTree(text: string): ReadTree {
  const reader = new Reader(text);
  try {
    return { ok: true, tree: reader.whole() };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ok: false, message: error.message, at: error.at };
  }
}

/** The value at a path; `undefined` when there is none. */
export function treeAt(tree: Tree, path: Path): Tree | undefined {
  let at: Tree | undefined = tree;
  for (const step of path) at = at && slotOf(at, step)?.value;
  return at;
}

/** The slot under a key or at an index (2). */
export function slotOf(tree: Tree, step: string | number): Slot | undefined {
  if (tree.kind === "leaf") return undefined;
  if (tree.kind === "array") return tree.slots[Number(step)];
  return tree.slots.findLast(({ key }) => key?.name === String(step));
}

/** The steps of a JSON pointer. */
export function stepsOf(pointer: string): Path {
  const steps = pointer.split("/").slice(1);
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

class Unreadable extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const BLANK = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Tree {
    const tree = this.#value();
    this.#blank();
    if (this.#at < this.#text.length) this.#fail("Nothing may follow the end of the value");
    return tree;
  }

  #value(): Tree {
    this.#blank();
    const from = this.#at;
    switch (this.#text[from]) {
      case "{":
        return { kind: "object", slots: this.#slots("}", () => this.#member()), from, to: this.#at };
      case "[":
        return { kind: "array", slots: this.#slots("]", () => this.#item()), from, to: this.#at };
      case '"':
        this.#match(STRING, "This string does not end, or holds a sign that has to be escaped");
        break;
      default:
        this.#match(WORD, from < this.#text.length ? "Here a value was expected" : "The text ends too early");
    }
    return { kind: "leaf", from, to: this.#at };
  }

  #slots(close: "}" | "]", read: () => Slot): readonly Slot[] {
    this.#at++;
    const slots: Slot[] = [];
    this.#blank();
    while (this.#text[this.#at] !== close) {
      if (slots.length > 0) {
        if (this.#text[this.#at] !== ",") this.#fail(`Here a comma or ${close} was expected`);
        this.#at++;
      }
      slots.push(read());
      this.#blank();
    }
    this.#at++;
    return slots;
  }

  #member(): Slot {
    this.#blank();
    const from = this.#at;
    this.#match(STRING, "Here a key in double quotes was expected");
    const name = JSON.parse(this.#text.slice(from, this.#at)) as string; // a string, as matched
    const key = { name, from, to: this.#at };
    this.#blank();
    if (this.#text[this.#at] !== ":") this.#fail("Here a colon was expected");
    this.#at++;
    const value = this.#value();
    return { key, value, from, to: value.to };
  }

  #item(): Slot {
    const value = this.#value();
    return { value, from: value.from, to: value.to };
  }

  #blank(): void {
    BLANK.lastIndex = this.#at;
    BLANK.exec(this.#text);
    this.#at = BLANK.lastIndex;
  }

  #match(pattern: RegExp, message: string): void {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) this.#fail(message);
    this.#at = pattern.lastIndex;
  }

  #fail(message: string): never {
    throw new Unreadable(`${message}.`, this.#at);
  }
}
