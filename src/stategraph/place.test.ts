import { describe, expect, test } from "vitest";
import { childRunId, runId, taskId } from "../base/names.ts";
import { Place } from "./place.ts";

const root = runId("r");
const child = runId("r/1/sub");
const whole = (run: typeof root, seq: number) => ({ run, seq, index: 0, count: 1 });

describe("a place", () => {
  test("law 3: is a sequence number where one tells it, and JSON otherwise; as a text it comes back as it was", () => {
    const place = new Place(root);
    expect(String(place)).toBe("0");
    place.pass(whole(root, 4));
    expect(String(place)).toBe("4");
    place.pass(whole(child, 2));
    expect(JSON.parse(String(place))).toEqual([
      ["", 4, 0],
      ["/1/sub", 2, 0],
    ]);
    expect(String(new Place(root, String(place)))).toBe(String(place));
    expect(String(new Place(root, 7))).toBe("7");
  });

  test("law 1: knows which chunks of an event were shown", () => {
    const place = new Place(root);
    place.pass({ run: root, seq: 3, index: 0, count: 2 });
    const again = new Place(root, String(place));
    expect([0, 1].map((index) => again.has({ run: root, seq: 3, index }))).toEqual([true, false]);
    expect(again.has({ run: root, seq: 2, index: 5 })).toBe(true);
    expect(again.has({ run: child, seq: 1, index: 0 })).toBe(false);
  });

  test("law 2: forgets a sub-graph, and what is in it, once its parent is past the end of its task", () => {
    const place = new Place(root);
    const twin = childRunId(root, taskId(1, "sub", 1), "");
    for (const run of [child, runId("r/1/sub/1/deep"), twin]) place.pass(whole(run, 9));
    place.close(root, 5, "r/1/sub");
    place.pass(whole(root, 4));
    expect(JSON.parse(String(place))).toHaveLength(4);
    place.pass(whole(root, 5));
    expect(JSON.parse(String(place))).toEqual([
      ["/1/sub#1", 9, 0],
      ["", 5, 0],
    ]);
    place.close(root, 6, "r/");
    place.pass(whole(root, 6));
    expect(String(place)).toBe("6");
  });

  test.each(["", "here", -1, 1.5, '["a"]', "[[1,2,3]]", '{"r":1}'])("is not made of %j", (after) => {
    expect(() => new Place(root, after)).toThrow("stream.place");
  });
});
