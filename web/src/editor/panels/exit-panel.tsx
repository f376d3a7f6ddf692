/** The form of an exit of a loop. What is changed here stands in the loop, and in no socket. */

import { loopsOf } from "../loadout/draft.ts";
import { CONDITIONS, isCondition } from "../loadout/edges.ts";
import { changeExit, type ExitChange, removeExit } from "../loadout/exits.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import { listAt, textAt, textsAt } from "../text/held.ts";
import styles from "./panel.module.css";
import { PanelHead, RemoveButton } from "./panel-head.tsx";
import { targetOptions } from "./targets.ts";
import { Choice, Typed } from "./typed.tsx";

export function ExitPanel({ loop, id }: { readonly loop: string; readonly id: string }) {
  const { draft, choose, edit, refuse } = useLoadout();
  const held = loopsOf(draft).get(loop);
  const exit = listAt(held, "exits").find((one) => one["id"] === id);
  if (exit === undefined) return <p className={styles["panel"]}>This exit is gone.</p>;
  const change = (fields: ExitChange) =>
    edit(`Change an exit of ${loop}`, (at) => changeExit(at, loop, id, fields));
  const remove = () => {
    const why = edit(`Remove an exit of ${loop}`, (at) => removeExit(at, loop, id));
    if (why === undefined) choose({ kind: "loop", id: loop });
    else refuse(why);
  };
  return (
    <div className={styles["panel"]}>
      <PanelHead title={`Exit of loop ${loop}`}>
        <RemoveButton label="Remove the exit" onRemove={remove} />
      </PanelHead>
      <p className={styles["note"]}>
        Taken once the items of the loop are done. It belongs to the loop and is no edge of a socket.
      </p>
      <Choice
        label="From"
        value={textAt(exit, "from") ?? ""}
        options={textsAt(held, "sockets")}
        onChoose={(from) => change({ from })}
      />
      <Choice
        label="When the last item was"
        value={textAt(exit, "condition") ?? ""}
        options={CONDITIONS}
        onChoose={(condition) => (isCondition(condition) ? change({ condition }) : undefined)}
      />
      <Choice
        label="To"
        value={textAt(exit, "targetSocketId") ?? ""}
        options={targetOptions(draft)}
        onChoose={(to) => change({ to })}
      />
      <Typed
        label="Id"
        isLate
        value={id}
        onType={(text) => {
          const why = change({ id: text });
          if (why === undefined) choose({ kind: "exit", loop, id: text });
          return why;
        }}
      />
    </div>
  );
}
