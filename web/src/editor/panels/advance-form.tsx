/** When a socket moves its loop on to the next item. */

import { Check } from "../../parts/field.tsx";
import { type Draft, loopsOf, socketsOf } from "../loadout/draft.ts";
import { CONDITIONS, isCondition, readAsJson } from "../loadout/edges.ts";
import { setSocketField, socketPath } from "../loadout/sockets.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import { objectAt, textAt, textsAt } from "../text/held.ts";
import { set, setOrRemove } from "../text/set.ts";
import styles from "./panel.module.css";
import { Choice, Typed } from "./typed.tsx";

const USUAL = { cursor: "workItemIndex", items: "state.workItems" };

/** What a member of a loop over a list moves on is told by that loop. */
function usualOf(draft: Draft, id: string): typeof USUAL {
  const loop = [...loopsOf(draft).values()].find((one) => textsAt(one, "sockets").includes(id));
  const iterator = objectAt(loop, "iterator");
  return {
    cursor: textAt(iterator, "cursor") ?? USUAL.cursor,
    items: textAt(iterator, "items") ?? USUAL.items,
  };
}

export function AdvanceForm({ id }: { readonly id: string }) {
  const { draft, edit, refuse } = useLoadout();
  const socket = socketsOf(draft).get(id) ?? {};
  const advance = objectAt(socket, "advance");
  const isOn = Object.hasOwn(socket, "advance");
  const turn = (on: boolean) =>
    refuse(
      edit(`Advance of ${id}`, (at) => setSocketField(at, id, "advance", on ? usualOf(at, id) : undefined)),
    );
  const change = (field: string, value: string | undefined, typing?: string) =>
    edit(`Advance of ${id}`, (at) => [setOrRemove(socketPath(at, id, "advance", field), value)], typing);
  const setWhen = (when: string) =>
    edit(`Advance of ${id}`, (at) =>
      isCondition(when)
        ? [...readAsJson(at, id, when), set(socketPath(at, id, "advance", "when"), when)]
        : [{ type: "remove", path: socketPath(at, id, "advance", "when") }],
    );
  return (
    <fieldset className={styles["group"]}>
      <legend>Advance</legend>
      <Check label="Moves its loop on to the next item" value={isOn} onChange={turn} />
      {isOn && (
        <>
          <Choice
            label="Advance when"
            value={textAt(advance, "when") ?? ""}
            options={[{ value: "", text: "always, without saying so" }, ...CONDITIONS]}
            onChoose={setWhen}
          />
          <div className={styles["pair"]}>
            <Typed
              label="Cursor"
              value={textAt(advance, "cursor") ?? ""}
              onType={(text) => change("cursor", text, `${id}/cursor`)}
            />
            <Typed
              label="Items"
              value={textAt(advance, "items") ?? ""}
              onType={(text) => change("items", text, `${id}/items`)}
            />
          </div>
        </>
      )}
    </fieldset>
  );
}
