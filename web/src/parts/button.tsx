/** A button: what it does is its text, and its look says how much it changes. */

import type { ButtonHTMLAttributes, ReactNode } from "react";
import styles from "./button.module.css";
import { cx } from "./cx.ts";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: "plain" | "primary" | "danger" | "quiet" | "good";
  readonly size?: "s" | "m";
  readonly icon?: ReactNode;
  /** A button with an icon alone still has a name. */
  readonly label?: string;
}

export function Button({
  look = "plain",
  size = "m",
  icon,
  label,
  className,
  children,
  ...rest
}: ButtonProps) {
  const isBare = children === undefined;
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={cx(
        styles["button"],
        styles[look],
        styles[`size-${size}`],
        isBare && styles["bare"],
        className,
      )}
    >
      {icon}
      {children}
    </button>
  );
}
