/** A diff by lines: of two texts, or one that comes as text. */

import { diffLines } from "diff";
import { useMemo, useState } from "react";
import { cx } from "./cx.ts";
import styles from "./diff-view.module.css";

interface Row {
  readonly sign: "+" | "-" | " " | "@";
  readonly text: string;
}

const SHOWN = 400;
const AROUND = 3;

export function TextDiffView({ left, right }: { readonly left: string; readonly right: string }) {
  return <Rows rows={useMemo(() => rowsOf(left, right), [left, right])} />;
}

/** Shows a unified diff as it is. */
export function PatchView({ text }: { readonly text: string }) {
  return <Rows rows={useMemo(() => text.split("\n").map(rowOf), [text])} />;
}

export function looksLikePatch(text: string): boolean {
  return /^(diff --git |--- .+\n\+\+\+ |@@ )/m.test(text);
}

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  const [shown, setShown] = useState(SHOWN);
  return (
    <div className={styles["diff"]}>
      <table className={styles["table"]}>
        <tbody>
          {rows.slice(0, shown).map(({ sign, text }, index) => (
            // Rows never move: they are the lines of a text that does not change.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <tr key={index} className={cx(ROW[sign])}>
              <td className={styles["sign"]} aria-hidden>
                {sign === "@" ? "" : sign}
              </td>
              <td className={styles["line"]}>
                {SAID[sign] && <span className="visually-hidden">{SAID[sign]}</span>}
                {text}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown && (
        <button type="button" className={styles["more"]} onClick={() => setShown(shown + SHOWN * 5)}>
          {rows.length - shown} more lines
        </button>
      )}
    </div>
  );
}

const ROW = { "+": styles["added"], "-": styles["removed"], " ": undefined, "@": styles["place"] } as const;
const SAID = { "+": "added: ", "-": "removed: ", " ": "", "@": "" } as const;

function rowOf(line: string): Row {
  if (/^(diff |index |--- |\+\+\+ |@@)/.test(line)) return { sign: "@", text: line };
  const sign = line[0];
  return sign === "+" || sign === "-" ? { sign, text: line.slice(1) } : { sign: " ", text: line.slice(1) };
}

/** Lines that are the same in both are left out where they are far from a change. */
function rowsOf(left: string, right: string): readonly Row[] {
  const parts = diffLines(left, right);
  return parts.flatMap(({ added, removed, value }, index): Row[] => {
    const lines = value.replace(/\n$/, "").split("\n");
    const sign = added ? "+" : removed ? "-" : " ";
    if (sign !== " " || lines.length <= AROUND * 2 + 1) return lines.map((text) => ({ sign, text }));
    const before = index === 0 ? [] : lines.slice(0, AROUND);
    const after = index === parts.length - 1 ? [] : lines.slice(-AROUND);
    const left = lines.length - before.length - after.length;
    const same = (text: string): Row => ({ sign: " ", text });
    return [...before.map(same), { sign: "@", text: `… ${left} lines are the same` }, ...after.map(same)];
  });
}
