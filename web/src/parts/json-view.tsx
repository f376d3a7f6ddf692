/** A JSON value as a tree that folds; long lists and texts show their beginning first. */

import { useState } from "react";
import { isJsonObject, type Json } from "../model/baton.ts";
import { cx } from "./cx.ts";
import styles from "./json-view.module.css";

interface JsonViewProps {
  readonly value: Json;
  readonly name?: string;
  /** How many levels are open at first. */
  readonly open?: number;
}

const PAGE = 50;

export function JsonView({ value, name, open = 1 }: JsonViewProps) {
  return (
    <div className={styles["json"]}>
      <Value value={value} name={name} open={open} />
    </div>
  );
}

function Value({ value, name, open }: { value: Json; name: string | undefined; open: number }) {
  if (typeof value === "object" && value !== null && sizeOf(value) > 0) {
    return <Tree value={value} name={name} open={open} />;
  }
  return (
    <div className={styles["leaf"]}>
      {name !== undefined && <span className={styles["name"]}>{name}: </span>}
      <Leaf value={value} />
    </div>
  );
}

function Tree({ value, name, open }: { value: Json; name: string | undefined; open: number }) {
  const [isOpen, setOpen] = useState(open > 0);
  const [shown, setShown] = useState(PAGE);
  const isList = Array.isArray(value);
  const entries = isOpen ? Object.entries(value as Readonly<Record<string, Json>>) : [];
  return (
    <div>
      <button type="button" className={styles["key"]} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden className={cx(styles["mark"], isOpen && styles["open"])}>
          ›
        </span>
        <span className={styles["name"]}>{name ?? (isList ? "list" : "object")}</span>
        <span className={styles["size"]}>{isList ? `[${sizeOf(value)}]` : `{${sizeOf(value)}}`}</span>
      </button>
      {isOpen && (
        <div className={styles["inside"]}>
          {entries.slice(0, shown).map(([key, held]) => (
            <Value key={key} value={held} name={key} open={open - 1} />
          ))}
          {entries.length > shown && (
            <button type="button" className={styles["more"]} onClick={() => setShown(shown + PAGE * 4)}>
              {entries.length - shown} more
            </button>
          )}
        </div>
      )}
    </div>
  );
}

const LONG = 400;

function Leaf({ value }: { readonly value: Json }) {
  const [isWhole, setWhole] = useState(false);
  if (typeof value !== "string") {
    const text = value === null ? "null" : JSON.stringify(value);
    return <span className={styles[typeof value === "number" ? "number" : "word"]}>{text}</span>;
  }
  const isCut = value.length > LONG && !isWhole;
  return (
    <span className={styles["text"]}>
      {isCut ? `${value.slice(0, LONG)}…` : value === "" ? "“”" : value}
      {isCut && (
        <button type="button" className={styles["more"]} onClick={() => setWhole(true)}>
          all {value.length} characters
        </button>
      )}
    </span>
  );
}

function sizeOf(value: Json): number {
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}
