/** The form of a loop: what it works on, its members, how many at once, and its exits. */

import { Unlink } from "lucide-react";
import { Button } from "../../parts/button.tsx";
import { Check } from "../../parts/field.tsx";
import { type Draft, loopsOf, socketsOf } from "../loadout/draft.ts";
import { addExit, removeExit } from "../loadout/exits.ts";
import { breakLoop, deleteLoop, renameLoop, setLoopField } from "../loadout/loops.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import type { Edit } from "../take.ts";
import { listAt, numberAt, objectAt, textAt, textsAt } from "../text/held.ts";
import { ItemsForm } from "./items-form.tsx";
import styles from "./panel.module.css";
import { PanelHead, RemoveButton } from "./panel-head.tsx";
import { type NewRoute, RouteForm } from "./route-form.tsx";
import { Typed } from "./typed.tsx";

export function LoopPanel({ id }: { readonly id: string }) {
  const { draft, choose, edit, refuse } = useLoadout();
  const loop = loopsOf(draft).get(id);
  if (loop === undefined) return null;
  const members = textsAt(loop, "sockets");
  const lanes = numberAt(objectAt(loop, "parallel"), "maxConcurrency");
  const leave = (label: string, change: (draft: Draft) => Edit) => {
    const why = edit(label, change);
    if (why === undefined) choose(undefined);
    else refuse(why);
  };
  const rename = (name: string) => {
    const why = edit(`Rename loop ${id}`, (at) => renameLoop(at, id, name));
    if (why === undefined) choose({ kind: "loop", id: name });
    return why;
  };
  const join = (socket: string, isIn: boolean) => {
    const next = [...socketsOf(draft).keys()].filter((one) =>
      one === socket ? isIn : members.includes(one),
    );
    refuse(edit(`Members of ${id}`, (at) => setLoopField(at, id, "sockets", next)));
  };
  const spread = (text: string) =>
    edit(
      `Lanes of ${id}`,
      (at) => setLoopField(at, id, "parallel", text === "" ? undefined : { maxConcurrency: Number(text) }),
      `${id}/lanes`,
    );
  return (
    <div className={styles["panel"]}>
      <PanelHead title={`Loop ${id}`}>
        <Button
          size="s"
          icon={<Unlink aria-hidden />}
          title="Take the loop and its exits away, and keep its sockets"
          onClick={() => leave(`Break loop ${id}`, (at) => breakLoop(at, id))}
        >
          Break
        </Button>
        <RemoveButton
          label="Delete the loop with its sockets"
          onRemove={() => leave(`Delete loop ${id}`, (at) => deleteLoop(at, id))}
        />
      </PanelHead>
      <Typed label="Name" isLate value={id} onType={rename} />
      <ItemsForm id={id} />
      <Typed
        label="Items at once"
        type="number"
        value={String(lanes ?? "")}
        placeholder="one after the other"
        onType={spread}
      />
      <fieldset className={styles["group"]}>
        <legend>Members</legend>
        <div className={styles["members"]}>
          {[...socketsOf(draft).keys()].map((socket) => (
            <Check
              key={socket}
              label={socket}
              value={members.includes(socket)}
              onChange={(isIn) => join(socket, isIn)}
            />
          ))}
        </div>
      </fieldset>
      <Exits id={id} />
    </div>
  );
}

function Exits({ id }: { readonly id: string }) {
  const { draft, choose, edit, refuse } = useLoadout();
  const exits = listAt(loopsOf(draft).get(id), "exits");
  const add = ({ to, when }: NewRoute) =>
    refuse(edit(`Exit of ${id}`, (at) => addExit(at, id, { to, ...(when && { condition: when }) })));
  return (
    <fieldset className={styles["group"]}>
      <legend>Exits, asked once the items are done</legend>
      {exits.length === 0 && <p className={styles["note"]}>None: the run ends with the last item.</p>}
      <ul className={styles["members"]}>
        {exits.map((exit) => {
          const name = textAt(exit, "id") ?? "";
          const text = `${textAt(exit, "from")} ${textAt(exit, "condition")} → ${textAt(exit, "targetSocketId")}`;
          return (
            <li key={name} className={styles["line"]}>
              <button
                type="button"
                className={styles["pick"]}
                title={name}
                onClick={() => choose({ kind: "exit", loop: id, id: name })}
              >
                {text}
              </button>
              <RemoveButton
                look="quiet"
                label={`Remove exit ${name}`}
                onRemove={() => refuse(edit(`Remove an exit of ${id}`, (at) => removeExit(at, id, name)))}
              />
            </li>
          );
        })}
      </ul>
      <RouteForm what="exit" onAdd={add} />
    </fieldset>
  );
}
