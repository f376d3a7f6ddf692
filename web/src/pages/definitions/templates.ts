/** What a new definition begins with. */

function nameIn(path: string): string {
  return (path.split("/").at(-1) ?? path).replace(/\.json$/, "");
}

function print(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export const TEMPLATES = {
  loadout: (path: string): string => print({ name: nameIn(path), entry: "Socket-1", sockets: {} }),
  inbox: (path: string): string =>
    print({ name: nameIn(path), nodes: { lead: { kind: "orchestrator" } }, edges: [] }),
} as const;
