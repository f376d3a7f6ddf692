/** The palette: every materia that a socket can hold, by its kind, to be dragged onto the canvas or added with a key. */

import { Bot, type LucideIcon, Plus, User, Workflow, Wrench } from "lucide-react";
import { useMemo, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { type DraftMateria, materiaOf } from "../loadout/draft.ts";
import { kindOf } from "../loadout/scene.ts";
import { addSocket, nextSocketId } from "../loadout/sockets.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import { NewMateriaDialog } from "./new-materia-dialog.tsx";
import styles from "./palette.module.css";
import { PaletteItem } from "./palette-item.tsx";

const GROUPS: readonly { readonly kind: string; readonly title: string; readonly icon: LucideIcon }[] = [
  { kind: "agent", title: "Agent", icon: Bot },
  { kind: "utility", title: "Utility", icon: Wrench },
  { kind: "human", title: "Human", icon: User },
  { kind: "graph", title: "Graph", icon: Workflow },
];

export function Palette() {
  const { draft } = useLoadout();
  const [search, setSearch] = useState("");
  const [isNew, setNew] = useState(false);
  const all = useMemo(() => [...materiaOf(draft).values()], [draft]);
  const shown = all.filter((one) => matches(one, search));
  return (
    <div className={styles["palette"]}>
      <div className={styles["head"]}>
        <input
          type="search"
          className={styles["search"]}
          aria-label="Search the palette"
          placeholder="Search materia"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Button size="s" icon={<Plus aria-hidden />} onClick={() => setNew(true)}>
          New materia
        </Button>
      </div>
      {GROUPS.map(({ kind, title, icon }) => {
        const held = shown.filter((one) => kindOf(one) === kind);
        return (
          <section key={kind} aria-label={title}>
            <h2 className={styles["title"]}>{title}</h2>
            {held.length === 0 && (
              <p className={styles["none"]}>{search === "" ? "None yet" : "Nothing found"}</p>
            )}
            <ul>
              {held.map((one) => (
                <Item key={one.id} item={one} icon={icon} />
              ))}
            </ul>
          </section>
        );
      })}
      {isNew && <NewMateriaDialog onClose={() => setNew(false)} />}
    </div>
  );
}

interface ItemProps {
  readonly item: DraftMateria;
  readonly icon: LucideIcon;
}

function Item({ item, icon }: ItemProps) {
  const { draft, chosen, choose, edit, refuse } = useLoadout();
  const { id, materia, origin } = item;
  const add = () => {
    const socket = nextSocketId(draft);
    const why = edit(`Add ${id}`, (at) => addSocket(at, id));
    if (why === undefined) choose({ kind: "socket", id: socket });
    else refuse(why);
  };
  const text = typeof materia.description === "string" ? materia.description : "";
  const from = { file: "", bundled: "From Baton", project: "From the project" }[origin];
  return (
    <PaletteItem
      {...{ name: id, icon, look: kindOf(item), onAdd: add }}
      note={materia.generator === true ? "Generator" : undefined}
      title={[id, text, from].filter(Boolean).join("\n")}
      isChosen={chosen?.kind === "materia" && chosen.id === id}
      onChoose={() => choose({ kind: "materia", id })}
    />
  );
}

function matches({ id, materia }: DraftMateria, search: string): boolean {
  const { label = "", group = "", description = "" } = materia;
  return [id, label, group, description].join(" ").toLowerCase().includes(search.trim().toLowerCase());
}
