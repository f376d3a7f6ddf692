/** A node on the canvas of an editor: what it is, what it holds, and where edges can be drawn from and to. */

import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { BadgeCheck, Bot, Box, type LucideIcon, User, Waypoints, Workflow, Wrench } from "lucide-react";
import { type CSSProperties, memo } from "react";
import type { NodeKind, Region } from "../../model/drawing/graph-model.ts";
import { cx } from "../../parts/cx.ts";
import type { SceneNode } from "./scene.ts";
import styles from "./scene-node.module.css";

export type SceneNodeData = Node<
  {
    readonly node: SceneNode;
    readonly isChosen: boolean;
    readonly isOnCycle: boolean;
    readonly onChoose: (id: string, adds: boolean) => void;
  },
  "scene"
>;

const ICONS: Readonly<Record<NodeKind, LucideIcon>> = {
  ...{ agent: Bot, utility: Wrench, human: User, graph: Workflow },
  ...{ lead: Waypoints, verifier: BadgeCheck, node: Box, end: Box },
};

/** Colours that an author may give; anything else is none. */
const COLOR = /^(#[0-9a-f]{3,8}|[a-z]{3,20})$/i;

export const SceneNodeView = memo(function SceneNodeView({ data }: NodeProps<SceneNodeData>) {
  const { node, isChosen, isOnCycle, onChoose } = data;
  const { id, label, detail, kind, badges, color } = node;
  if (kind === "end") {
    return (
      <div className={styles["end"]}>
        {label}
        <Handle type="target" position={Position.Top} className={styles["handle"]} />
      </div>
    );
  }
  const Icon = ICONS[kind];
  const own = color !== undefined && COLOR.test(color) ? ({ "--kind": color } as CSSProperties) : undefined;
  const endless = isOnCycle ? ["on a way that may never end"] : [];
  const spoken = [label, detail, node.spoken, ...badges, ...endless].filter((part) => part !== "").join(", ");
  return (
    <div
      className={cx(styles["node"], isChosen && styles["chosen"], isOnCycle && styles["cycle"])}
      data-kind={kind}
      data-node={id}
      style={own}
    >
      <Handle type="target" position={Position.Top} className={styles["handle"]} />
      <button
        type="button"
        className={styles["face"]}
        aria-pressed={isChosen}
        aria-label={spoken}
        title={`${label} (${detail})`}
        onClick={(event) => onChoose(id, event.shiftKey || event.ctrlKey || event.metaKey)}
      >
        <span className={styles["kind"]}>
          <Icon aria-hidden />
        </span>
        <span className={styles["words"]}>
          <span className={styles["label"]}>{label}</span> <span className={styles["detail"]}>{detail}</span>
        </span>
      </button>
      {badges.length > 0 && (
        <span className={styles["badges"]}>
          {badges.map((badge) => (
            <span key={badge} className={styles["badge"]}>
              {badge}
            </span>
          ))}
        </span>
      )}
      <Handle
        type="source"
        position={Position.Bottom}
        className={styles["handle"]}
        title="Drag to draw an edge"
      />
    </div>
  );
});

export type SceneRegionData = Node<
  { readonly region: Region; readonly isChosen: boolean; readonly onChoose: (id: string) => void },
  "region"
>;

export const SceneRegionView = memo(function SceneRegionView({ data }: NodeProps<SceneRegionData>) {
  const { region, isChosen, onChoose } = data;
  const [name, what] = region.label.split("\n");
  return (
    <div className={cx(styles["region"], isChosen && styles["chosen"])}>
      <button
        type="button"
        className={styles["title"]}
        aria-pressed={isChosen}
        aria-label={`Loop ${region.label.replace("\n", ", ")}`}
        title={region.label}
        onClick={() => onChoose(region.id)}
      >
        {name} <small>{what}</small>
      </button>
      <Handle
        type="source"
        position={Position.Right}
        className={cx(styles["handle"], styles["exit"])}
        title="Drag to draw an exit of the loop"
      />
    </div>
  );
});
