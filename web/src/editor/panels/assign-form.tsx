/** What a socket copies from its output into the state. */

import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { type Draft, socketsOf } from "../loadout/draft.ts";
import { setSocketField, socketPath } from "../loadout/sockets.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import type { Edit } from "../take.ts";
import { objectAt } from "../text/held.ts";
import { set } from "../text/set.ts";
import styles from "./panel.module.css";
import { kept, Typed } from "./typed.tsx";

export function AssignForm({ id }: { readonly id: string }) {
  const { draft, edit, refuse } = useLoadout();
  const [target, setTarget] = useState("");
  const [source, setSource] = useState("");
  const assign = objectAt(socketsOf(draft).get(id), "assign");
  const entries = Object.entries(assign);
  const add = () => {
    const why = edit(`Assign ${target}`, (at) => [set(socketPath(at, id, "assign", target), source)]);
    refuse(why);
    if (why !== undefined) return;
    setTarget("");
    setSource("");
  };
  return (
    <fieldset className={styles["group"]}>
      <legend>Assign</legend>
      {entries.map(([name, from]) => (
        <div key={name} className={styles["assign"]}>
          <Typed
            label={name}
            value={String(from)}
            onType={(text) =>
              edit(`Assign ${name}`, (at) => [set(socketPath(at, id, "assign", name), text)], `${id}/${name}`)
            }
          />
          <span />
          <Button
            look="quiet"
            label={`Do not assign ${name}`}
            icon={<Trash2 aria-hidden />}
            onClick={() =>
              refuse(edit(`Do not assign ${name}`, (at) => without(at, id, name, entries.length)))
            }
          />
        </div>
      ))}
      <div className={styles["assign"]}>
        <Typed label="Into" value={target} placeholder="workItems" onType={kept(setTarget)} />
        <Typed label="From" value={source} placeholder="$.workItems" onType={kept(setSource)} />
        <Button
          label="Add assignment"
          icon={<Plus aria-hidden />}
          disabled={target.trim() === "" || source.trim() === ""}
          onClick={add}
        />
      </div>
    </fieldset>
  );
}

function without(draft: Draft, id: string, name: string, count: number): Edit {
  if (count === 1) return setSocketField(draft, id, "assign", undefined);
  return [{ type: "remove", path: socketPath(draft, id, "assign", name) }];
}
