/** The form of what is chosen on the canvas; of the whole loadout when nothing is. */

import { loopsOf, socketsOf } from "../loadout/draft.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import { EdgePanel } from "./edge-panel.tsx";
import { ExitPanel } from "./exit-panel.tsx";
import { LoadoutPanel } from "./loadout-panel.tsx";
import { LoopPanel } from "./loop-panel.tsx";
import { ManyPanel } from "./many-panel.tsx";
import { MateriaPanel } from "./materia-panel.tsx";
import { SocketPanel } from "./socket-panel.tsx";

export function ChosenPanel() {
  const { draft, chosen, marked } = useLoadout();
  if (marked.length > 1) return <ManyPanel />;
  switch (chosen?.kind) {
    case "socket":
      return socketsOf(draft).has(chosen.id) ? (
        <SocketPanel key={chosen.id} id={chosen.id} />
      ) : (
        <LoadoutPanel />
      );
    case "edge":
      return <EdgePanel key={`${chosen.from}/${chosen.index}`} from={chosen.from} index={chosen.index} />;
    case "exit":
      return <ExitPanel key={`${chosen.loop}/${chosen.id}`} loop={chosen.loop} id={chosen.id} />;
    case "loop":
      return loopsOf(draft).has(chosen.id) ? <LoopPanel key={chosen.id} id={chosen.id} /> : <LoadoutPanel />;
    case "materia":
      return <MateriaPanel key={chosen.id} id={chosen.id} />;
    case undefined:
      return <LoadoutPanel />;
  }
}
