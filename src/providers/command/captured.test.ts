import { describe, expect, test } from "vitest";
import { Head, Tail } from "./captured.ts";

const bytes = (text: string) => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

describe("Head", () => {
  test("characters that come in pieces are whole", () => {
    const head = new Head(100);
    for (const chunk of bytes("a€𝄞ä")) expect(head.add(chunk)).toBe(true);
    expect(head.toString()).toBe("a€𝄞ä");
  });

  test("exactly the limit fits, one byte more does not", () => {
    const head = new Head(4);
    expect(head.add(Buffer.from("abcd"))).toBe(true);
    expect(head.add(Buffer.from(""))).toBe(true);
    expect(head.add(Buffer.from("e"))).toBe(false);
    expect(head.toString()).toBe("abcd");
  });
});

describe("Tail", () => {
  test.each([
    [["abc", "def"], 4, "cdef"],
    [["abcdefghijkl"], 4, "ijkl"],
    [["a", "b"], 4, "ab"],
    [["abcd"], 4, "abcd"],
    [["a", "bcd", "ef", "ghij", "kl"], 4, "ijkl"],
  ])("of %j with %i bytes is %s", (chunks, limit, end) => {
    const tail = new Tail(limit);
    for (const chunk of chunks) tail.add(Buffer.from(chunk));
    expect(tail.toString()).toBe(end);
  });

  test("it begins with a whole character", () => {
    for (let limit = 1; limit < 12; limit++) {
      const tail = new Tail(limit);
      for (const chunk of bytes("€€€€€€")) tail.add(chunk);
      expect(tail.toString()).toBe("€".repeat(Math.floor(limit / 3)));
    }
  });
});
