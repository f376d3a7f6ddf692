/** Who asks a question, as people call the node. */

import { isJsonObject, type QuestionDocument } from "../../model/baton.ts";

export function whoAsks({ node, value }: QuestionDocument): string {
  if (!isJsonObject(value)) return node;
  const label = value["kind"] === "human" ? value["title"] : value["label"];
  return typeof label === "string" && label !== "" ? label : node;
}
