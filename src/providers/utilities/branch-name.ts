/** The branch of a run, derived from what was asked and from the run's id, so that any process derives the same. */

/** The longest slug, in characters. */
const LONGEST = 40;
/** How many characters of the run's id tell two runs of the same request apart. */
const TELLING = 6;

/** `baton/add-a-login-page-3f9c2a`. The end of the id is taken: ids that begin with the time differ there. */
export function branchName(request: string, runId: string): string {
  const id = runId.toLowerCase().replace(/[^a-z0-9]/g, "");
  return `baton/${slug(request)}-${id.slice(-TELLING) || "run"}`;
}

/** Letters and digits of ASCII in words; a text without any is called `work`. */
export function slug(text: string): string {
  const words = text
    .normalize("NFKD")
    .replace(/[\u0300-\u036F'’]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  if (words.length <= LONGEST) return words || "work";
  const end = words.lastIndexOf("-", LONGEST);
  return words.slice(0, end > 0 ? end : LONGEST);
}
