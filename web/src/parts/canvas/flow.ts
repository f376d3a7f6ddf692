/** What every canvas tells React Flow: how far it zooms, and that focus, choice and deletion are ours. */

export const FLOW = {
  maxZoom: 1.75,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  deleteKeyCode: null,
} as const;

/** How far the points of the ground lie apart, in pixels. */
export const GRID = 22;

/** The ground of every canvas. */
export const GROUND = { gap: GRID, size: 1.2, color: "var(--line)" } as const;
