/** Several sockets together: a loop can be made of them. */

import { Repeat } from "lucide-react";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { loopsOf } from "../loadout/draft.ts";
import { createLoop } from "../loadout/loops.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import styles from "./panel.module.css";
import { PanelHead } from "./panel-head.tsx";
import { kept, Typed } from "./typed.tsx";

export function ManyPanel() {
  const { draft, marked, choose, edit, refuse } = useLoadout();
  const [name, setName] = useState(
    loopsOf(draft).size === 0 ? "workItemIteration" : `loop-${loopsOf(draft).size + 1}`,
  );
  const make = () => {
    const why = edit(`Make loop ${name}`, (at) => createLoop(at, marked, name));
    if (why === undefined) choose({ kind: "loop", id: name });
    else refuse(why);
  };
  return (
    <div className={styles["panel"]}>
      <PanelHead title={`${marked.length} sockets`} />
      <p className={styles["note"]}>{marked.join(", ")}</p>
      <Typed label="Name of the loop" value={name} onType={kept(setName)} />
      <Button icon={<Repeat aria-hidden />} disabled={name.trim() === ""} onClick={make}>
        Make a loop of them
      </Button>
    </div>
  );
}
