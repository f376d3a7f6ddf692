/** What happened in a run, three ways: as bars over time, as lines, and as letters between nodes. */

import { useAddress } from "../../../app/address.ts";
import type { Inside } from "../../../model/inside-tree.ts";
import type { Moment } from "../../../model/moment.ts";
import type { LogView } from "../../../model/run-log.ts";
import { type Tab, Tabs } from "../../../parts/tabs.tsx";
import { EventFeed } from "./event-feed.tsx";
import { Mail } from "./mail.tsx";
import { Waterfall } from "./waterfall.tsx";

export interface DockProps {
  /** What happened inside of the nodes that are unfolded. */
  readonly insides: readonly Inside[];
  readonly unfolded: ReadonlySet<string>;
  /** The runs inside of this one, at any depth. */
  readonly runs: readonly string[];
  readonly onUnfold: (node: string) => void;
  readonly log: LogView;
  readonly moment: Moment;
  /** What people call each node. */
  readonly labels: ReadonlyMap<string, string>;
  readonly node: string | undefined;
  readonly visit: number | undefined;
  readonly onChoose: (node: string | undefined, visit?: number) => void;
  readonly onSeq: (seq: number | undefined) => void;
}

export function Dock(props: DockProps) {
  const { log, moment, labels, onChoose, onSeq } = props;
  const [search, change] = useAddress();
  const tabs: Tab[] = [
    {
      ...{ id: "timeline", label: "Timeline", count: moment.visits.length },
      panel: <Waterfall {...props} />,
    },
    {
      ...{ id: "events", label: "Events", count: log.length },
      panel: <EventFeed log={log} moment={moment} labels={labels} onChoose={onChoose} onSeq={onSeq} />,
    },
  ];
  if (moment.dialect === "inbox") {
    tabs.push({
      ...{ id: "mail", label: "Mail", count: moment.letters.length },
      panel: <Mail moment={moment} />,
    });
  }
  return (
    <Tabs
      label="What happened"
      tabs={tabs}
      value={search.get("tab") ?? "timeline"}
      onChange={(tab) => change({ tab: tab === "timeline" ? undefined : tab })}
    />
  );
}
