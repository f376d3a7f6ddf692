import { expect, test } from "vitest";
import { Redactor } from "./redact.ts";

test("a secret is taken out where it is a key, too, and the same in what names the key", () => {
  const secret = "sk-abcdefghijklmnopqrstuvwx";
  const redactor = new Redactor({ secrets: true });
  const value = { op: "set", key: secret, value: { [secret]: { [secret]: 1 } }, path: [secret] };
  expect(redactor.value(value)).toEqual({
    ...{ op: "set", key: "[redacted]", path: ["[redacted]"] },
    value: { "[redacted]": { "[redacted]": 1 } },
  });
  expect(redactor.values).toBe(4);
});
