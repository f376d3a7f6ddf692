import { describe, expect, test } from "vitest";
import { begin, doing, PAUSE, redo, undo } from "./history.ts";

describe("a history", () => {
  test("goes back and forth between the states that the text had (1)", () => {
    const three = doing(doing(begin("a"), { text: "b", label: "B" }), { text: "c", label: "C" });
    expect(undo(three).now).toEqual({ text: "b", label: "B" });
    expect(undo(undo(undo(three))).now.text).toBe("a");
    expect(redo(undo(undo(three))).now.text).toBe("b");
    expect(redo(redo(redo(undo(undo(three))))).now.text).toBe("c");
  });

  test("joins what is typed without a pause, and nothing else (2)", () => {
    const at = (history: ReturnType<typeof begin>, text: string, time: number, kind = "json") =>
      doing(history, { text, label: "Typing", typing: { kind, at: time } });
    const typed = at(at(at(begin(""), "a", 0), "ab", 10), "abc", 10 + PAUSE);
    expect(undo(typed).now.text).toBe("");
    expect(undo(at(typed, "abcd", 5000)).now.text).toBe("abc");
    expect(undo(at(typed, "abcd", 20 + PAUSE, "name")).now.text).toBe("abc");
    const between = at(doing(typed, { text: "x", label: "X" }), "xy", 20 + PAUSE);
    expect(undo(between).now.text).toBe("x");
  });

  test("drops what could have been redone when something new is done (3), and ignores what changes nothing", () => {
    const back = undo(doing(begin("a"), { text: "b", label: "B" }));
    expect(redo(doing(back, { text: "c", label: "C" })).now.text).toBe("c");
    expect(doing(back, { text: "a", label: "Same" })).toBe(back);
  });
});
