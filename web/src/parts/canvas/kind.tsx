/** What a node is, as an icon, and the colour that its author gave it. */

import { BadgeCheck, Bot, Box, type LucideIcon, User, Waypoints, Workflow, Wrench } from "lucide-react";
import type { CSSProperties } from "react";
import type { NodeKind } from "../../model/drawing/graph-model.ts";

const ICONS: Readonly<Record<NodeKind, LucideIcon>> = {
  ...{ agent: Bot, utility: Wrench, human: User, graph: Workflow },
  ...{ lead: Waypoints, verifier: BadgeCheck, node: Box, end: Box },
};

export function KindIcon({ kind }: { readonly kind: NodeKind }) {
  const Icon = ICONS[kind];
  return <Icon aria-hidden />;
}

/** Colours that an author may give; anything else is none. */
const COLOR = /^(#[0-9a-f]{3,8}|[a-z]{3,20})$/i;

/** The style that gives a node its own colour. */
export function ownColor(color: string | undefined): CSSProperties | undefined {
  if (color === undefined || !COLOR.test(color)) return undefined;
  return { "--kind": color } as CSSProperties; // React sets custom properties as well
}
