/** Makes a new route: what it asks for and where it leads. Edges of sockets and exits of loops are made like that. */

import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { CONDITIONS, type Condition, END, isCondition } from "../loadout/edges.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import styles from "./panel.module.css";
import { targetOptions } from "./targets.ts";
import { Choice, kept } from "./typed.tsx";

export interface NewRoute {
  readonly to: string;
  /** The first one that is free, when absent. */
  readonly when?: Condition;
}

interface RouteFormProps {
  readonly what: "edge" | "exit";
  readonly onAdd: (route: NewRoute) => void;
}

export function RouteForm({ what, onAdd }: RouteFormProps) {
  const { draft } = useLoadout();
  const [when, setWhen] = useState("");
  const [to, setTo] = useState(END);
  return (
    <>
      <div className={styles["pair"]}>
        <Choice
          label={`New ${what} when`}
          value={when}
          options={[{ value: "", text: "the next free" }, ...CONDITIONS]}
          onChoose={kept(setWhen)}
        />
        <Choice label={`New ${what} to`} value={to} options={targetOptions(draft)} onChoose={kept(setTo)} />
      </div>
      <Button
        size="s"
        icon={<Plus aria-hidden />}
        onClick={() => onAdd({ to, ...(isCondition(when) && { when }) })}
      >
        Add {what}
      </Button>
    </>
  );
}
