/** The side of the page of a run: the node that is chosen, and the state at the moment that is shown. */

import { useAddress } from "../../../app/address.ts";
import type { RunDocument } from "../../../model/baton.ts";
import type { Inside } from "../../../model/inside-tree.ts";
import type { Moment } from "../../../model/moment.ts";
import type { LogView } from "../../../model/run-log.ts";
import { Tabs } from "../../../parts/tabs.tsx";
import { NodePanel } from "./node-panel.tsx";
import { StatePanel } from "./state-panel.tsx";

export interface SideProps {
  readonly run: string;
  readonly log: LogView;
  readonly moment: Moment;
  /** What people call each node. */
  readonly labels: ReadonlyMap<string, string>;
  readonly node: string | undefined;
  readonly visit: number | undefined;
  readonly document: RunDocument | undefined;
  /** What happened inside of the nodes that are unfolded. */
  readonly insides: readonly Inside[];
  readonly onChoose: (node: string | undefined, visit?: number) => void;
}

export function Side(props: SideProps) {
  const [search, change] = useAddress();
  return (
    <Tabs
      label="Inspector"
      value={search.get("side") ?? "node"}
      onChange={(side) => change({ side: side === "node" ? undefined : side })}
      tabs={[
        { id: "node", label: "Node", panel: <NodePanel {...props} /> },
        { id: "state", label: "State", panel: <StatePanel moment={props.moment} /> },
      ]}
    />
  );
}
