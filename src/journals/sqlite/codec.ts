/**
 * The codec writes events as lines of text and reads them back.
 *
 * 1. A line is a count of events, their time, its form, and the facts as a JSON list, separated by tabs. The form is
 *    `b` when it refers to blobs, then the number of its shape when it has one; the list is then the shape's values.
 * 2. Printed JSON holds neither tabs nor line breaks, so rows are joined and split without a look at what is in them.
 * 3. Run and sequence number follow from the place of a line; the time is written again where an event has another.
 */

import { messageOf } from "../../base/failure.ts";
import { isObject } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import type { Blobs } from "./blobs.ts";
import { isWhole } from "./checksum.ts";
import type { Shapes } from "./shapes.ts";

/** The most events of a line: who reads one of them reads them all. */
const LONGEST_LINE = 256;

export interface Row {
  readonly run: RunId;
  /** The sequence number before its first event. */
  readonly after: number;
  /** How many events it has. */
  readonly n: number;
  readonly text: string;
  readonly crc: number | null;
}

export class Codec {
  readonly #blobs: Blobs;
  readonly #shapes: Shapes;

  constructor(blobs: Blobs, shapes: Shapes) {
    this.#blobs = blobs;
    this.#shapes = shapes;
  }

  /** Writes the events of one append, at least one. Call it in a transaction. */
  encode(events: readonly Event[]): string {
    if (events.length <= LONGEST_LINE) return this.#line(events);
    const lines: string[] = [];
    for (let i = 0; i < events.length; i += LONGEST_LINE) {
      lines.push(this.#line(events.slice(i, i + LONGEST_LINE)));
    }
    return lines.join("\n");
  }

  /** Writes the events of one append where that takes nothing but their own row; tells nothing of others. */
  encodeAlone(events: readonly Event[]): string | undefined {
    if (events.length > LONGEST_LINE) return undefined;
    const text = this.#blobs.printSmall(factsOf(events));
    const split = text === undefined ? undefined : this.#shapes.find(text);
    return split && lineOf(events, String(split.shape), split.values);
  }

  /** Reads the events of a row that come after a sequence number into a list, until the list is as long as it may be. */
  decode(row: Row, after: number, into: Event[], limit: number): void {
    let seq = row.after;
    try {
      if (typeof row.text !== "string" || !isWhole(row.text, row.crc))
        throw new Error("it is not what was stored");
      for (const line of row.text.split("\n")) {
        const count = Number.parseInt(line, 10);
        if (!(count > 0)) throw new Error("it is not in Baton's format");
        if (seq + count > after) {
          for (const event of this.#parse(line, row.run, seq, count)) {
            if (event.seq > after && into.length < limit) into.push(event);
          }
        }
        seq += count;
        if (into.length >= limit) return;
      }
      if (seq !== row.after + row.n) throw new Error(`it has not ${row.n} events`);
    } catch (error) {
      throw new UnreadableLog(row.run, seq + 1, error);
    }
  }

  /** The facts of a row as they are printed, with references where blobs were; one text for each line. */
  *print(text: string): Generator<string> {
    for (const line of text.split("\n")) yield this.#print(line).text;
  }

  #line(events: readonly Event[]): string {
    const { text, refers } = this.#blobs.print(factsOf(events));
    const split = this.#shapes.split(text);
    return lineOf(events, `${refers ? "b" : ""}${split?.shape ?? ""}`, split?.values ?? text);
  }

  #print(line: string): { readonly text: string; readonly at: number; readonly refers: boolean } {
    const [, time, form = "", ...body] = line.split("\t");
    const refers = form.startsWith("b");
    const shape = refers ? form.slice(1) : form;
    const text = shape === "" ? body.join("\t") : this.#shapes.join(Number(shape), body);
    return { text, at: Number(time), refers };
  }

  #parse(line: string, run: RunId, after: number, count: number): Event[] {
    const { text, at, refers } = this.#print(line);
    const facts: unknown = refers ? this.#blobs.parse(text) : JSON.parse(text);
    if (!Array.isArray(facts) || facts.length !== count) throw new Error(`it is no list of ${count} events`);
    return facts.map((fact: unknown, index) => {
      if (!isObject(fact) || typeof fact["type"] !== "string") throw new Error("it holds what is no event");
      // What `encode` wrote. The object is new, so nobody else sees it change.
      const event = fact as { run: RunId; seq: number; at: number } & Event;
      event.run = run;
      event.seq = after + index + 1;
      event.at ??= at;
      return event;
    });
  }
}

/** The facts of a line: events without what their place and the line say (3). */
function factsOf(events: readonly Event[]): object[] {
  const first = timeOf(events);
  const facts: object[] = [];
  for (const { run: _, seq: __, at, ...fact } of events) facts.push(at === first ? fact : { ...fact, at });
  return facts;
}

function lineOf(events: readonly Event[], form: string, body: string): string {
  return `${events.length}\t${timeOf(events)}\t${form}\t${body}`;
}

function timeOf(events: readonly Event[]): number {
  return (events[0] as Event).at; // a line has at least one
}

/** The log of a run that somebody else has written to or damaged. */
export class UnreadableLog extends Error {
  override readonly name: string = "UnreadableLog";
  readonly run: RunId;
  /** The first event that cannot be read. */
  readonly seq: number;

  constructor(run: RunId, seq: number, cause: unknown) {
    const why = messageOf(cause);
    const end = why.endsWith(".") ? why : `${why}.`;
    super(`The log of run ${run} cannot be read at event ${seq}: ${end}`, { cause });
    this.run = run;
    this.seq = seq;
  }
}
