/** The form of a socket: its materia, how its output is read and kept, when its loop goes on, and its edges. */

import { Flag, Pencil } from "lucide-react";
import { Button } from "../../parts/button.tsx";
import { loopsOf, materiaOf, socketsOf } from "../loadout/draft.ts";
import { kindOf } from "../loadout/scene.ts";
import { removeSocket, setEntry, setSocketField, swapMateria } from "../loadout/sockets.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import { textAt, textsAt } from "../text/held.ts";
import { AdvanceForm } from "./advance-form.tsx";
import { AssignForm } from "./assign-form.tsx";
import { EdgesForm } from "./edges-form.tsx";
import styles from "./panel.module.css";
import { PanelHead, RemoveButton } from "./panel-head.tsx";
import { Choice } from "./typed.tsx";

export function SocketPanel({ id }: { readonly id: string }) {
  const { draft, choose, edit, refuse } = useLoadout();
  const socket = socketsOf(draft).get(id);
  if (socket === undefined) return null;
  const held = textAt(socket, "materia") ?? "";
  const materia = materiaOf(draft);
  const known = materia.get(held);
  const loops = [...loopsOf(draft)]
    .filter(([, loop]) => textsAt(loop, "sockets").includes(id))
    .map(([name]) => name);
  const isEntry = textAt(draft.loadout, "entry") === id;
  const remove = () => {
    const why = edit(`Remove ${id}`, (at) => removeSocket(at, id));
    if (why === undefined) choose(undefined);
    else refuse(why);
  };
  return (
    <div className={styles["panel"]}>
      <PanelHead title={id}>
        <Button
          size="s"
          look="quiet"
          icon={<Flag aria-hidden />}
          label={isEntry ? "The run begins here" : "Let the run begin here"}
          disabled={isEntry}
          onClick={() => refuse(edit(`Begin at ${id}`, (at) => setEntry(at, id)))}
        />
        <RemoveButton label="Remove the socket" onRemove={remove} />
      </PanelHead>
      <div className={styles["row"]}>
        <div className={styles["wide"]}>
          <Choice
            label="Materia"
            value={held}
            options={[...materia.values()].map((one) => ({
              value: one.id,
              text: `${one.id} (${kindOf(one)})`,
            }))}
            onChoose={(to) => edit(`Put ${to} into ${id}`, (at) => swapMateria(at, id, to))}
          />
        </div>
        <Button
          label="Edit the materia"
          icon={<Pencil aria-hidden />}
          onClick={() => choose({ kind: "materia", id: held })}
        />
      </div>
      <p className={styles["note"]}>
        {[
          ...(known?.materia.generator === true ? ["Generator: it makes the work items of a loop."] : []),
          ...loops.map((name) => `Loop consumer: a member of ${name}.`),
          ...(typeof known?.materia.description === "string" ? [known.materia.description] : []),
        ].join(" ")}
      </p>
      <Choice
        label="Parse"
        value={textAt(socket, "parse") ?? ""}
        options={[{ value: "", text: "as its materia says, else text" }, "text", "json"]}
        onChoose={(parse) =>
          edit(`Parse of ${id}`, (at) => setSocketField(at, id, "parse", parse === "" ? undefined : parse))
        }
      />
      <EdgesForm id={id} />
      <AssignForm id={id} />
      <AdvanceForm id={id} />
    </div>
  );
}
