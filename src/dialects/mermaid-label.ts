/** A label of a Mermaid drawing: any text as one line between quotes, with nothing that Mermaid reads as syntax. */

export function mermaidLabel(text: string): string {
  const quoted = text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(/\s+/g, " ");
  return `"${quoted}"`;
}
