/**
 * A change of a JSON text touches the value that it is about and what stands right beside it.
 *
 * 1. Every other byte stays as it is, the author's indentation and line breaks included.
 * 2. Setting a value to what it is already changes nothing at all.
 * 3. The path of a change names what is there, save that `set` makes the objects that are missing on its way.
 */

import { type Json, sameJson } from "../../model/baton.ts";
import { print, styleOf, WIDEST } from "./style.ts";
import { type Branch, type Path, readTree, type Slot, slotOf, type Tree, treeAt } from "./tree.ts";

export type Change =
  | { readonly type: "set"; readonly path: Path; readonly value: Json }
  | { readonly type: "remove"; readonly path: Path }
  | { readonly type: "insert"; readonly path: Path; readonly index: number; readonly value: Json }
  | { readonly type: "move"; readonly path: Path; readonly from: number; readonly to: number }
  | { readonly type: "rename"; readonly path: Path; readonly key: string };

/** The text after changes, one after the other. It has to be JSON. */
export function changed(text: string, changes: readonly Change[]): string {
  return changes.reduce(applied, text);
}

function applied(text: string, change: Change): string {
  const read = readTree(text);
  if (!read.ok) throw new Error(`A change needs a text that is JSON. ${read.message}`);
  const { tree } = read;
  switch (change.type) {
    case "set":
      return set(text, tree, change);
    case "remove":
      return remove(text, tree, change.path);
    case "insert": {
      const list = treeAt(tree, change.path);
      if (list?.kind !== "array") return set(text, tree, { path: change.path, value: [change.value] });
      return insert(text, list, { index: change.index, value: change.value });
    }
    case "move":
      return move(text, treeAt(tree, change.path), change);
    case "rename": {
      const key = slotAt(tree, change.path)?.key;
      return key ? splice(text, key.from, key.to, JSON.stringify(change.key)) : text;
    }
  }
}

function slotAt(tree: Tree, path: Path): Slot | undefined {
  const parent = treeAt(tree, path.slice(0, -1));
  const step = path.at(-1);
  return parent && step !== undefined ? slotOf(parent, step) : undefined;
}

function set(
  text: string,
  tree: Tree,
  { path, value }: { readonly path: Path; readonly value: Json },
): string {
  const there = treeAt(tree, path);
  if (there !== undefined) {
    if (sameJson(JSON.parse(text.slice(there.from, there.to)) as Json, value)) return text; // (2)
    const indent = indentAt(text, there.from);
    const before = there.from - lineStart(text, there.from) - indent.length;
    return splice(text, there.from, there.to, print(value, styleOf(text), { indent, before }));
  }
  const known = path.findIndex((_, index) => treeAt(tree, path.slice(0, index + 1)) === undefined);
  const parent = treeAt(tree, path.slice(0, known));
  if (parent === undefined || parent.kind === "leaf") return text;
  const made = path.slice(known + 1).reduceRight<Json>((inner, key) => under(String(key), inner), value); // (3)
  if (parent.kind === "array") return insert(text, parent, { index: parent.slots.length, value: made });
  return insert(text, parent, { index: parent.slots.length, key: String(path[known]), value: made });
}

/** An object with one own key, whatever its name. */
function under(key: string, value: Json): Json {
  return Object.fromEntries([[key, value]]);
}

interface Insertion {
  readonly index: number;
  readonly key?: string;
  readonly value: Json;
}

function insert(text: string, into: Branch, insertion: Insertion): string {
  const { index, key, value } = insertion;
  const style = styleOf(text);
  const name = key === undefined ? "" : `${JSON.stringify(key)}: `;
  const { slots } = into;
  const [first] = slots;
  if (first === undefined) return fillEmpty(text, into, insertion);
  const isInLines = text.slice(into.from, first.from).includes("\n");
  if (isInLines) {
    const indent = indentAt(text, first.from);
    const set = name + print(value, style, { indent, before: name.length });
    return between(text, into, { index, set, separator: `,${style.newline}${indent}` });
  }
  const flat = name + print(value, { ...style, isFlat: true }, { indent: "", before: 0 });
  const one = between(text, into, { index, set: flat, separator: ", " });
  const isNarrow = lineLength(one, into.from) <= WIDEST && !flat.includes(": {");
  return style.isFlat || isNarrow ? one : unfolded(text, into, insertion);
}

interface Piece {
  readonly index: number;
  readonly set: string;
  readonly separator: string;
}

function between(text: string, { slots }: Branch, { index, set, separator }: Piece): string {
  const next = slots[index];
  if (next !== undefined) return splice(text, next.from, next.from, set + separator);
  const last = slots.at(-1) as Slot; // there is a first one
  return splice(text, last.to, last.to, separator + set);
}

function fillEmpty(text: string, into: Branch, { key, value }: Insertion): string {
  const style = styleOf(text);
  const indent = indentAt(text, into.from);
  const before = into.from - lineStart(text, into.from) - indent.length;
  const whole = key === undefined ? [value] : under(key, value);
  const isRoot = into.from === 0 && !style.isFlat;
  const place = isRoot ? { indent, before: WIDEST } : { indent, before };
  return splice(text, into.from, into.to, print(whole, style, place));
}

/** A container that stood in one line, set over several; what was in it keeps its own text. */
function unfolded(text: string, into: Branch, { index, key, value }: Insertion): string {
  const style = styleOf(text);
  const indent = indentAt(text, into.from);
  const inner = indent + style.unit;
  const name = key === undefined ? "" : `${JSON.stringify(key)}: `;
  const made = name + print(value, style, { indent: inner, before: name.length });
  const parts = into.slots.map(({ from, to }) => text.slice(from, to)).toSpliced(index, 0, made);
  const [open, close] = into.kind === "array" ? "[]" : "{}";
  const lines = parts.map((part) => inner + part).join(`,${style.newline}`);
  return splice(text, into.from, into.to, [open, lines, indent + close].join(style.newline));
}

function remove(text: string, tree: Tree, path: Path): string {
  const parent = treeAt(tree, path.slice(0, -1));
  const slot = slotAt(tree, path);
  if (parent === undefined || parent.kind === "leaf" || slot === undefined) return text;
  const index = parent.slots.indexOf(slot);
  const next = parent.slots[index + 1];
  const before = parent.slots[index - 1];
  if (next) return splice(text, slot.from, next.from, "");
  if (before) return splice(text, before.to, slot.to, "");
  return splice(text, parent.from, parent.to, parent.kind === "array" ? "[]" : "{}");
}

/** The items change their places, each with the text that it had. */
function move(text: string, list: Tree | undefined, { from, to }: { from: number; to: number }): string {
  if (list?.kind !== "array" || list.slots[from] === undefined || list.slots[to] === undefined) return text;
  const texts = list.slots.map((slot) => text.slice(slot.from, slot.to));
  const [taken = ""] = texts.splice(from, 1);
  texts.splice(to, 0, taken);
  return list.slots.reduceRight(
    (whole, slot, index) => splice(whole, slot.from, slot.to, texts[index] ?? ""),
    text,
  );
}

function splice(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? "";
}

function lineLength(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return (end === -1 ? text.length : end) - lineStart(text, at);
}
