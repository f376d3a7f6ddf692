/** A dialog is the browser's own: it holds the focus, closes on Escape, and gives the focus back. */

import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "./button.tsx";
import styles from "./dialog.module.css";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}

export function Dialog({ title, onClose, children, footer }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (dialog.current?.open !== false) return;
    dialog.current.showModal();
    dialog.current.querySelector<HTMLElement>(`.${styles["body"]} :is(input, select, textarea, a)`)?.focus();
  }, []);
  return (
    <dialog ref={dialog} className={styles["dialog"]} aria-labelledby={id} onClose={onClose}>
      <header className={styles["head"]}>
        <h2 id={id}>{title}</h2>
        <Button look="quiet" size="s" label="Close" icon={<X aria-hidden />} onClick={onClose} />
      </header>
      <div className={styles["body"]}>{children}</div>
      {footer && <footer className={styles["foot"]}>{footer}</footer>}
    </dialog>
  );
}
