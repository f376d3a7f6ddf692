/** Where a loop has its items from: a generator, or a list in the state with the names that it goes by. */

import { loopsOf } from "../loadout/draft.ts";
import { generatorsOf, type ItemSource, loopPath, setItemSource } from "../loadout/loops.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import { objectAt, textAt } from "../text/held.ts";
import { set, setOrRemove } from "../text/set.ts";
import styles from "./panel.module.css";
import { Choice, Typed } from "./typed.tsx";

/** Values of the choice; a generator's is its id behind this. */
const FROM = "generator ";
const LIST = "list";

export function ItemsForm({ id }: { readonly id: string }) {
  const { draft, edit } = useLoadout();
  const loop = loopsOf(draft).get(id) ?? {};
  const from = textAt(objectAt(loop, "consumes"), "from");
  const isList = Object.hasOwn(loop, "iterator");
  const named = from === undefined ? "" : FROM + from;
  return (
    <>
      <Choice
        label="Works on the items of"
        value={isList ? LIST : named}
        options={[
          { value: "", text: "whatever its member advances" },
          ...generatorsOf(draft).map((socket) => ({ value: FROM + socket, text: `${socket}, a generator` })),
          { value: LIST, text: "a list in the state" },
        ]}
        onChoose={(value) => edit(`Items of ${id}`, (at) => setItemSource(at, id, sourceOf(value)))}
      />
      {isList ? <ListFields id={id} /> : from !== undefined && <OutputField id={id} />}
    </>
  );
}

function sourceOf(value: string): ItemSource {
  if (value === LIST) return { kind: "list" };
  return value === "" ? { kind: "unnamed" } : { kind: "generator", from: value.slice(FROM.length) };
}

const FIELDS = [
  { key: "items", label: "List", hint: "Where it is in the state, such as state.files." },
  { key: "as", label: "Each item is called", hint: undefined },
  { key: "cursor", label: "Cursor", hint: undefined },
] as const;

function ListFields({ id }: { readonly id: string }) {
  const { draft, edit } = useLoadout();
  const iterator = objectAt(loopsOf(draft).get(id), "iterator");
  const field = ({ key, label, hint }: (typeof FIELDS)[number]) => (
    <Typed
      key={key}
      label={label}
      value={textAt(iterator, key) ?? ""}
      {...(hint !== undefined && { hint })}
      onType={(text) =>
        edit(`Items of ${id}`, (at) => [set(loopPath(at, id, "iterator", key), text)], `${id}/${key}`)
      }
    />
  );
  const [list, ...names] = FIELDS;
  return (
    <>
      {field(list)}
      <div className={styles["pair"]}>{names.map(field)}</div>
    </>
  );
}

function OutputField({ id }: { readonly id: string }) {
  const { draft, edit } = useLoadout();
  const output = textAt(objectAt(loopsOf(draft).get(id), "consumes"), "output");
  return (
    <Typed
      label="List that it gives"
      isLate
      value={output ?? ""}
      placeholder="workItems"
      onType={(text) =>
        edit(`Items of ${id}`, (at) => [
          setOrRemove(loopPath(at, id, "consumes", "output"), text === "" ? undefined : text),
        ])
      }
    />
  );
}
