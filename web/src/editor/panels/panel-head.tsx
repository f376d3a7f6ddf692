/** The head of a form: what it is about, and what can be done with that as a whole. */

import { Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../parts/button.tsx";
import styles from "./panel.module.css";

interface PanelHeadProps {
  readonly title: string;
  readonly children?: ReactNode;
}

export function PanelHead({ title, children }: PanelHeadProps) {
  return (
    <div className={styles["head"]}>
      <h2 title={title}>{title}</h2>
      {children && <span className={styles["row"]}>{children}</span>}
    </div>
  );
}

interface RemoveButtonProps {
  readonly label: string;
  readonly look?: "danger" | "quiet";
  readonly onRemove: () => void;
}

export function RemoveButton({ label, look = "danger", onRemove }: RemoveButtonProps) {
  return <Button size="s" {...{ look, label }} icon={<Trash2 aria-hidden />} onClick={onRemove} />;
}
