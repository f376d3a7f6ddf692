/** The form of a loop: what it works on, its members, how many at once, and its exits. */

import { Plus, Trash2, Unlink } from "lucide-react";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Check } from "../../parts/field.tsx";
import { listAt, loopsOf, numberAt, objectAt, socketsOf, textAt, textsAt } from "../loadout/draft.ts";
import { CONDITIONS, END } from "../loadout/edges.ts";
import {
  addExit,
  breakLoop,
  generatorsOf,
  isCondition,
  removeExit,
  renameLoop,
  setLoopField,
} from "../loadout/loops.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import styles from "./panel.module.css";
import { targetOptions } from "./targets.ts";
import { Choice, Typed } from "./typed.tsx";

export function LoopPanel({ id }: { readonly id: string }) {
  const { draft, choose, edit, refuse } = useLoadout();
  const loop = loopsOf(draft).get(id);
  if (loop === undefined) return null;
  const members = textsAt(loop, "sockets");
  const lanes = numberAt(objectAt(loop, "parallel"), "maxConcurrency");
  const remove = () => {
    const why = edit(`Break loop ${id}`, (at) => breakLoop(at, id));
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
  const consume = (from: string) =>
    edit(`Items of ${id}`, (at) =>
      setLoopField(at, id, "consumes", from === "" ? undefined : { from, output: "workItems" }),
    );
  const spread = (text: string) =>
    edit(
      `Lanes of ${id}`,
      (at) => setLoopField(at, id, "parallel", text === "" ? undefined : { maxConcurrency: Number(text) }),
      `${id}/lanes`,
    );
  return (
    <div className={styles["panel"]}>
      <div className={styles["head"]}>
        <h2 title={id}>Loop {id}</h2>
        <Button size="s" look="danger" icon={<Unlink aria-hidden />} onClick={remove}>
          Break
        </Button>
      </div>
      <Typed label="Name" isLate value={id} onType={rename} />
      <Choice
        label="Works on the items of"
        value={textAt(objectAt(loop, "consumes"), "from") ?? ""}
        options={[{ value: "", text: "no generator" }, ...generatorsOf(draft)]}
        onChoose={consume}
      />
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
  const [condition, setCondition] = useState("");
  const [to, setTo] = useState(END);
  const exits = listAt(loopsOf(draft).get(id), "exits");
  const keep = (set: (value: string) => void) => (value: string) => {
    set(value);
    return undefined;
  };
  const add = () =>
    refuse(
      edit(`Exit of ${id}`, (at) => addExit(at, id, { to, ...(isCondition(condition) && { condition }) })),
    );
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
              <Button
                size="s"
                look="quiet"
                label={`Remove exit ${name}`}
                icon={<Trash2 aria-hidden />}
                onClick={() => refuse(edit(`Remove an exit of ${id}`, (at) => removeExit(at, id, name)))}
              />
            </li>
          );
        })}
      </ul>
      <div className={styles["pair"]}>
        <Choice
          label="New exit when"
          value={condition}
          options={[{ value: "", text: "the next free" }, ...CONDITIONS]}
          onChoose={keep(setCondition)}
        />
        <Choice label="New exit to" value={to} options={targetOptions(draft)} onChoose={keep(setTo)} />
      </div>
      <Button size="s" icon={<Plus aria-hidden />} onClick={add}>
        Add exit
      </Button>
    </fieldset>
  );
}
