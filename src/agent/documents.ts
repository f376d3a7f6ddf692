/** Documents are what may be written before anything is built: Markdown files, and everything in the folder `docs`. */

/** Says whether a path names a document; it is relative to the working folder. */
export function isDocument(path: string): boolean {
  const segments = path.split(/[\\/]/).filter((segment) => segment !== "" && segment !== ".");
  if (/^([\\/]|[a-z]:)/i.test(path) || segments.includes("..")) return false;
  return (segments[0] === "docs" && segments.length > 1) || /\.mdx?$/i.test(segments.at(-1) ?? "");
}
