import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    // Examples import the package by its name; here that name means the sources.
    alias: [
      { find: /^batonjs$/, replacement: source("index.ts") },
      { find: /^batonjs\/(\w+)$/, replacement: source("$1.ts") },
    ],
  },
  test: {
    include: ["src/**/*.test.ts", "web/src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    setupFiles: ["test/seed.ts"],
    environment: "node",
    pool: "threads",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
