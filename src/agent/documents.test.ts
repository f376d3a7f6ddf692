import { expect, test } from "vitest";
import { isDocument } from "./documents.ts";

test.each([
  ["docs/plan.txt", true],
  ["./docs/a/b.json", true],
  ["docs\\plan.txt", true],
  ["README.md", true],
  ["src/notes.MDX", true],
  ["docs", false],
  ["src/docs/x.ts", false],
  ["docs/../src/x.ts", false],
  ["../docs/plan.md", false],
  ["/docs/plan.md", false],
  ["C:\\docs\\plan.md", false],
  ["src/md", false],
  ["", false],
])("%j is a document: %s", (path, expected) => {
  expect(isDocument(path)).toBe(expected);
});
