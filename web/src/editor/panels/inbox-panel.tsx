/** The form of what is chosen in an inbox graph; of the whole graph when nothing is. */

import { edgesOf } from "../inbox/edits.ts";
import { useInbox } from "../inbox/use-inbox.ts";
import { objectAt } from "../text/held.ts";
import { InboxEdgePanel } from "./inbox-edge-panel.tsx";
import { InboxGraphPanel } from "./inbox-graph-panel.tsx";
import { InboxNodePanel } from "./inbox-node-panel.tsx";

export function InboxPanel() {
  const { draft, chosen } = useInbox();
  if (chosen?.kind === "node" && Object.hasOwn(objectAt(draft.json, "nodes"), chosen.id)) {
    return <InboxNodePanel key={chosen.id} id={chosen.id} />;
  }
  if (chosen?.kind === "edge" && edgesOf(draft)[chosen.index] !== undefined) {
    return <InboxEdgePanel key={chosen.index} index={chosen.index} />;
  }
  return <InboxGraphPanel />;
}
