/** How the studio's page is built, and how it is served while somebody works on it. */

import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Where a running `baton studio` listens, for `npm run dev`. */
const STUDIO = process.env["BATON_STUDIO"] ?? "http://127.0.0.1:4747";
/** Its token. */
const TOKEN = process.env["BATON_TOKEN"];

// biome-ignore lint/style/noDefaultExport: where Vite looks for it
export default defineConfig({
  root: path("."),
  plugins: [react()],
  // The studio puts the nonce of a response in its place: `NONCE_PLACE` in src/server/policy.ts.
  html: { cspNonce: "BATON-NONCE" },
  resolve: { alias: [{ find: /^batonjs\/(\w+)$/, replacement: path("../src/$1.ts") }] },
  build: {
    outDir: path("dist"),
    // Tests keep what a page that is open may still ask for.
    emptyOutDir: process.env["BATON_KEEP_ASSETS"] === undefined,
    target: "es2022",
    // Everything is a file of its own: an inlined one would be a `data:` address, which the page may not load.
    assetsInlineLimit: 0,
    // What others wrote and the page is made of, with their licences: the page links to it.
    license: { fileName: "licenses.md" },
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1600,
  },
  server: {
    proxy: {
      "/api": {
        target: STUDIO,
        changeOrigin: true,
        // The studio answers its own page only; through the proxy, this one is it.
        configure: (proxy) => {
          proxy.on("proxyReq", (request) => {
            for (const name of ["origin", "sec-fetch-site"]) request.removeHeader(name);
            if (TOKEN !== undefined) request.setHeader("authorization", `Bearer ${TOKEN}`);
          });
        },
      },
    },
  },
});
