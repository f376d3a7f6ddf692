/** Joins class names, those that are missing left out. */
export function cx(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => name !== undefined && name !== false && name !== "").join(" ");
}
