/** A thing of a palette: it is dragged onto the canvas by its name, and the plus beside it adds it with a key. */

import { type LucideIcon, Plus } from "lucide-react";
import { Button } from "../../parts/button.tsx";
import { DRAGGED } from "../canvas/editor-canvas.tsx";
import styles from "./palette.module.css";

interface PaletteItemProps {
  readonly name: string;
  readonly icon: LucideIcon;
  /** Which kind's colour its sign has. */
  readonly look: string;
  /** What stands below the name. */
  readonly note?: string | undefined;
  readonly title: string;
  /** Whether it is what is chosen; left out where nothing is chosen here. */
  readonly isChosen?: boolean;
  readonly onChoose: () => void;
  readonly onAdd: () => void;
}

export function PaletteItem(props: PaletteItemProps) {
  const { name, icon: Icon, look, note, title, isChosen, onChoose, onAdd } = props;
  return (
    <li className={styles["item"]} data-chosen={isChosen === true}>
      <button
        type="button"
        className={styles["name"]}
        draggable
        aria-pressed={isChosen}
        title={title}
        onDragStart={(event) => {
          event.dataTransfer.setData(DRAGGED, name);
          event.dataTransfer.effectAllowed = "copy";
        }}
        onClick={onChoose}
      >
        <Icon aria-hidden data-kind={look} />
        <span className={styles["words"]}>
          <span>{name}</span>
          {note !== undefined && <small>{note}</small>}
        </span>
      </button>
      <Button size="s" look="quiet" label={`Add ${name}`} icon={<Plus aria-hidden />} onClick={onAdd} />
    </li>
  );
}
