#!/usr/bin/env node
// No import statement here: a Node too old for Baton must get as far as the sentence that says so.
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 13)) {
  console.error(`baton: batonjs asks for Node.js 22.13 or newer, and this is ${process.versions.node}.`);
  process.exit(2);
}

// Node 22 calls node:sqlite experimental on every start. Any other warning still shows.
const emitWarning = process.emitWarning;
process.emitWarning = (warning, ...rest) => {
  if (rest[0] !== "ExperimentalWarning") emitWarning.call(process, warning, ...rest);
};

import("../dist/cli/main.js");
