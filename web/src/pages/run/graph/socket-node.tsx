/** A node of the canvas: what it is, how it stands, and how often it was visited. */

import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { Inbox, Minus, Plus } from "lucide-react";
import { memo } from "react";
import type { ModelNode } from "../../../model/drawing/graph-model.ts";
import type { NodeLook } from "../../../model/moment.ts";
import { renders } from "../../../model/renders.ts";
import { KindIcon, ownColor } from "../../../parts/canvas/kind.tsx";
import { cx } from "../../../parts/cx.ts";
import { Status } from "../../../parts/status.tsx";
import styles from "./socket-node.module.css";

export type SocketNode = Node<
  {
    readonly node: ModelNode;
    readonly look: NodeLook | undefined;
    readonly isChosen: boolean;
    readonly isUnfolded: boolean;
    readonly onChoose: (id: string) => void;
    readonly onUnfold: (id: string) => void;
  },
  "socket"
>;

export const SocketNodeView = memo(function SocketNodeView({ data }: NodeProps<SocketNode>) {
  renders.nodes++;
  const { node, look, isChosen, isUnfolded, onChoose, onUnfold } = data;
  const { id, label, detail, kind, badges, color, graph } = node;
  const status = look?.status ?? "idle";
  if (kind === "end") {
    return (
      <div className={cx(styles["end"])}>
        {label}
        <Ports />
      </div>
    );
  }
  return (
    <div
      className={cx(
        styles["node"],
        styles[status],
        !look?.visits && styles["unseen"],
        isChosen && styles["chosen"],
      )}
      data-kind={kind}
      style={ownColor(color)}
    >
      <button type="button" className={styles["face"]} aria-pressed={isChosen} onClick={() => onChoose(id)}>
        <span className={styles["kind"]}>
          <KindIcon kind={kind} />
        </span>
        <span className={styles["words"]}>
          <span className={styles["label"]} title={label}>
            {label}
          </span>
          <span className="visually-hidden">{kind}</span>
          <span className={styles["detail"]}>{badges[0] === undefined ? detail : badges.join(" · ")}</span>
        </span>
        <span className={styles["stand"]}>
          {status === "idle" ? (
            <span className="visually-hidden">idle</span>
          ) : (
            <Status status={status} as="icon" />
          )}
          <Counts look={look} />
        </span>
      </button>
      {graph && (
        <button
          type="button"
          className={styles["unfold"]}
          aria-expanded={isUnfolded}
          aria-label={isUnfolded ? `Fold ${label}` : `Unfold ${label}`}
          onClick={() => onUnfold(id)}
        >
          {isUnfolded ? <Minus aria-hidden /> : <Plus aria-hidden />}
        </button>
      )}
      <Ports />
    </div>
  );
});

function Counts({ look }: { readonly look: NodeLook | undefined }) {
  if (look === undefined) return null;
  const { visits, inbox } = look;
  return (
    <>
      {inbox !== undefined && inbox > 0 && (
        <span className={styles["inbox"]} title={`${inbox} in its inbox`}>
          <Inbox aria-hidden />
          {inbox}
        </span>
      )}
      {visits > 1 && (
        <span className={styles["visits"]} title={`${visits} visits`}>
          ×{visits}
        </span>
      )}
    </>
  );
}

function Ports() {
  return (
    <>
      <Handle type="target" position={Position.Top} className={styles["port"]} isConnectable={false} />
      <Handle type="source" position={Position.Bottom} className={styles["port"]} isConnectable={false} />
    </>
  );
}

export type RegionNode = Node<{ readonly label: string }, "region">;

export const RegionNodeView = memo(function RegionNodeView({ data }: NodeProps<RegionNode>) {
  return (
    <div className={styles["region"]}>
      <span>{data.label}</span>
    </div>
  );
});
