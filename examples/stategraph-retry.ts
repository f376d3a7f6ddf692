/** A service that is slow, then busy, then well: attempts, their time, an effect that is done once, and a cache. */

import { END, field, NodeTimeoutError, START, StateGraph } from "batonjs";
import { saver } from "./stategraph-saver.ts";

let charges = 0;
let calls = 0;

const app = new StateGraph(
  { city: field<string>(), forecast: field<string>(), receipt: field<string>() },
  { defaults: { retryPolicy: { maxAttempts: 4, initialInterval: 1 } } },
)
  .addNode(
    "forecast",
    async ({ city }, { attempt, once }) => {
      const receipt = await once("charge", () => `receipt ${++charges}`);
      calls++;
      if (attempt === 1) await new Promise(() => {}); // it never answers
      if (attempt === 2) throw new Error("busy");
      return { forecast: `rain in ${city}`, receipt };
    },
    {
      timeout: { run: 30 },
      cache: { key: ({ city }: { readonly city: string }) => city, ttl: 60_000 },
      onError: (error) => ({ forecast: error instanceof NodeTimeoutError ? "too slow" : "unknown" }),
    },
  )
  .addEdge(START, "forecast")
  .addEdge("forecast", END)
  .compile({ checkpointer: saver() });

for (const threadId of ["monday", "tuesday"]) {
  console.log(threadId, (await app.invoke({ city: "Bergen" }, { threadId })).forecast);
}
// → monday rain in Bergen
// → tuesday rain in Bergen
console.log(`${calls} calls, ${charges} charge`);
// → 3 calls, 1 charge
