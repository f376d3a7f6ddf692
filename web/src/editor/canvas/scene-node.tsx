/** A node on the canvas of an editor: what it is, what it holds, and where edges can be drawn from and to. */

import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { CornerRightDown } from "lucide-react";
import { memo } from "react";
import type { Region } from "../../model/drawing/graph-model.ts";
import { renders } from "../../model/renders.ts";
import { KindIcon, ownColor } from "../../parts/canvas/kind.tsx";
import { cx } from "../../parts/cx.ts";
import type { SceneNode } from "./scene.ts";
import styles from "./scene-node.module.css";

export type SceneNodeData = Node<
  {
    readonly node: SceneNode;
    readonly isChosen: boolean;
    readonly isOnCycle: boolean;
    readonly onChoose: (id: string, adds: boolean) => void;
    readonly onOpen: ((inside: string) => void) | undefined;
  },
  "scene"
>;

export const SceneNodeView = memo(function SceneNodeView({ data }: NodeProps<SceneNodeData>) {
  renders.nodes++;
  const { node, isChosen, isOnCycle, onChoose, onOpen } = data;
  const { id, label, detail, kind, badges, color, mark, inside } = node;
  if (kind === "end") {
    return (
      <div className={styles["end"]}>
        {label}
        <Handle type="target" position={Position.Top} className={styles["handle"]} />
      </div>
    );
  }
  const endless = isOnCycle ? ["on a way that may never end"] : [];
  const spoken = [label, detail, node.spoken, mark, ...badges, ...endless].filter(Boolean).join(", ");
  return (
    <div
      className={cx(styles["node"], isChosen && styles["chosen"], isOnCycle && styles["cycle"])}
      data-kind={kind}
      data-badged={badges.length > 0}
      data-node={id}
      style={ownColor(color)}
    >
      <Handle type="target" position={Position.Top} className={styles["handle"]} />
      {mark !== undefined && (
        <span className={styles["mark"]} aria-hidden>
          {mark}
        </span>
      )}
      <button
        type="button"
        className={styles["face"]}
        aria-pressed={isChosen}
        aria-label={spoken}
        title={`${label} (${detail})`}
        onClick={(event) => onChoose(id, event.shiftKey || event.ctrlKey || event.metaKey)}
      >
        <span className={styles["kind"]}>
          <KindIcon kind={kind} />
        </span>
        <span className={styles["words"]}>
          <span className={styles["label"]}>{label}</span> <span className={styles["detail"]}>{detail}</span>
        </span>
      </button>
      {inside !== undefined && onOpen && (
        <button
          type="button"
          className={cx("nodrag nopan", styles["corner"])}
          aria-label={`Open ${inside}, which ${id} runs`}
          title={`Open ${inside}`}
          onClick={() => onOpen(inside)}
        >
          <CornerRightDown aria-hidden />
        </button>
      )}
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
