/** Detect-VCS: says which version control the project is under and whether its program runs here. */

import { main } from "../main.ts";
import { readParams } from "../request.ts";
import { detectVcs } from "../vcs.ts";

await main(async ({ cwd, params }) => {
  readParams(params, {});
  const { kind, root, available } = await detectVcs(cwd);
  return { state: { vcs: { kind, root, available } } };
});
