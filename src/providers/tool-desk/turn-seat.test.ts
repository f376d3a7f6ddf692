import { describe, expect, test } from "vitest";
import type { Finish, StagedSend } from "../../agent/agent.ts";
import { NO_TURN, type Reach } from "../../agent/tool-desk.ts";
import { TurnSeat } from "./turn-seat.ts";

/** A turn that remembers what was done in it. */
function turnOf(name: string, heard: string[]): Reach {
  return {
    send({ message }: StagedSend) {
      heard.push(`${name}: ${message}`);
      return { ok: true };
    },
    finish({ summary }: Finish) {
      heard.push(`${name} ends: ${summary}`);
      return { ok: true };
    },
    look: () => name,
  };
}

const say = (message: string): StagedSend => ({ to: "x", message });
const ask = async () => ({ approved: true });

describe("a seat", () => {
  test("passes on at once what comes while somebody attends", () => {
    const heard: string[] = [];
    const turn = turnOf("a", heard);
    const seat = new TurnSeat(turn, ask);
    seat.attend(turn);
    expect(seat.offer.send?.(say("1"))).toEqual({ ok: true });
    expect(seat.offer.finish?.({ ok: true, summary: "2" })).toEqual({ ok: true });
    expect(seat.finish).toEqual({ ok: true, summary: "2" });
    expect(heard).toEqual(["a: 1", "a ends: 2"]);
  });

  test("keeps what comes while a person decides for the turn that goes on, in order; looking waits for nobody", async () => {
    const heard: string[] = [];
    const turn = turnOf("before", heard);
    const seat = new TurnSeat(turn, ask);
    seat.attend(turn);
    seat.park();
    const verdicts = [seat.offer.send?.(say("1")), seat.offer.finish?.({ ok: true, summary: "2" })];
    expect(seat.offer.look?.()).toBe("before");
    expect(heard).toEqual([]);
    seat.attend(turnOf("after", heard));
    expect(heard).toEqual(["after: 1", "after ends: 2"]); // done before anything else of the turn goes on
    expect(await Promise.all(verdicts)).toEqual([{ ok: true }, { ok: true }]);
  });

  test("does nothing that its agent gave up waiting for, and nothing after the turn is over (2)", async () => {
    const heard: string[] = [];
    const turn = turnOf("a", heard);
    const seat = new TurnSeat(turn, ask);
    const gone = new AbortController();
    const givenUp = seat.offer.send?.(say("1"), gone.signal);
    gone.abort();
    seat.attend(turn);
    expect(await givenUp).toEqual(NO_TURN);
    seat.park();
    const waiting = seat.offer.send?.(say("2"));
    seat.end();
    expect(await waiting).toEqual(NO_TURN);
    expect(seat.offer.send?.(say("3"))).toEqual(NO_TURN);
    const question = { title: "Go?", args: {}, wants: "answer" } as const;
    await expect(seat.offer.ask?.(question, gone.signal)).rejects.toThrow(NO_TURN.message);
    expect(heard).toEqual([]);
  });

  test("has the tools that mean something in its turn", () => {
    const { send, look } = turnOf("a", []);
    const toolsIn = (turn: Reach): string[] => Object.keys(new TurnSeat(turn, ask).offer);
    expect(toolsIn(turnOf("a", []))).toEqual(["send", "finish", "ask", "look"]);
    expect(toolsIn({ ...(send && { send }), ...(look && { look }), contacts: [] })).toEqual(["ask", "look"]);
    expect(toolsIn({ ...(send && { send }), contacts: ["b"] })).toEqual(["send", "ask"]);
    expect(toolsIn({})).toEqual(["ask"]);
  });
});
