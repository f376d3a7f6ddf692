/** Where an edge or exit can lead, as choices with the names that people know. */

import { type Draft, materiaOf, socketsOf } from "../loadout/draft.ts";
import { END } from "../loadout/edges.ts";
import { textAt } from "../text/held.ts";

export interface Option {
  readonly value: string;
  readonly text: string;
}

export function socketOptions(draft: Draft): readonly Option[] {
  const materia = materiaOf(draft);
  return [...socketsOf(draft)].map(([id, socket]) => {
    const held = textAt(socket, "materia") ?? "";
    const label = materia.get(held)?.materia.label;
    return { value: id, text: `${id} · ${typeof label === "string" ? label : held}` };
  });
}

export function targetOptions(draft: Draft): readonly Option[] {
  return [...socketOptions(draft), { value: END, text: "End" }];
}
