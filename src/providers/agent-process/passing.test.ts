import { expect, test } from "vitest";
import { isPassing } from "./passing.ts";

test.each([
  "Ran into this error: Rate limit exceeded: Busy..",
  "Ran into this error: Server error: Server error (503 Service Unavailable) at http://127.0.0.1:1/v1: Busy.",
  "Internal error: 429 Too Many Requests",
  "529 overloaded",
  '429: {"error":{"message":"slow down"}}',
  "API Error: 500 upstream",
  "status code 502",
  "connect ECONNREFUSED 127.0.0.1:9",
  "TypeError: fetch failed",
  "error trying to connect: Connection refused (os error 111)",
])("%s may pass", (told) => {
  expect(isPassing(told)).toBe(true);
});

test.each([
  "API Error: 400 No such thing.",
  "Model not found.",
  "Incorrect API key provided.",
  "Internal error",
  "The context has 5000 tokens, and the limit is 4290.",
  "status 5001",
  "goose showed no sign of life for 500 s.",
])("%s does not", (told) => {
  expect(isPassing(told)).toBe(false);
});
