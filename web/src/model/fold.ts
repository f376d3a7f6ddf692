/** A fold is a run as it stood after one of its events: the kernel's state and Baton's own views of the same events. */

import {
  channelValue,
  type Event,
  emptyState,
  evolve,
  InboxView,
  type Json,
  type LoadoutRoute,
  LoadoutView,
  QuestionsView,
  type RunId,
  type RunState,
  Timeline,
} from "./baton.ts";
import { Post } from "./post.ts";
import { Traffic } from "./traffic.ts";
import { Visits } from "./visits.ts";

/** What one event changed in the channels of a run. */
export interface StateChange {
  readonly seq: number;
  readonly channels: readonly {
    readonly channel: string;
    readonly before: Json | undefined;
    readonly after: Json | undefined;
  }[];
}

export class Fold {
  seq = 0;
  readonly state: RunState;
  readonly timeline: Timeline = new Timeline();
  readonly questions: QuestionsView = new QuestionsView();
  readonly loadout: LoadoutView = new LoadoutView();
  readonly inbox: InboxView = new InboxView();
  readonly post: Post = new Post();
  readonly visits: Visits = new Visits();
  readonly traffic: Traffic = new Traffic();
  dialect = "";
  startedAt = 0;
  at = 0;
  change: StateChange | undefined;

  constructor(run: string) {
    this.state = emptyState(run as RunId); // an id that the studio gave
  }

  /** Folds the events after its own up to one number; what the last of them to change the state changed is kept. */
  upTo(seq: number, events: readonly Event[]): void {
    const to = Math.min(seq, events.length);
    let last = -1;
    for (let index = to - 1; index >= this.seq && last < 0; index--) {
      if (patchesOf(events[index]).length > 0) last = index;
    }
    for (let index = this.seq; index < to; index++) {
      const event = events[index] as Event; // within the list
      if (index === last) this.#foldChange(event);
      else this.#fold(event);
    }
  }

  #foldChange(event: Event): void {
    const names = [...new Set(patchesOf(event))];
    const before = names.map((channel) => channelValue(this.state, channel));
    this.#fold(event);
    const channels = names.map((channel, index) => {
      return { channel, before: before[index], after: channelValue(this.state, channel) };
    });
    this.change = { seq: event.seq, channels };
  }

  #fold(event: Event): void {
    evolve(this.state, event);
    this.timeline.fold(event);
    this.questions.fold(event);
    this.dialect = this.state.program?.dialect ?? "";
    this.startedAt ||= event.at;
    const decision = this.#foldDialect(event);
    this.visits.fold(event, decision);
    this.traffic.fold(event, decision);
    this.seq = event.seq;
    this.at = event.at;
  }

  #foldDialect(event: Event): LoadoutRoute | undefined {
    if (this.dialect === "inbox") {
      this.inbox.evolve(event);
      // Letters come with what is committed.
      this.post.fold(event, patchesOf(event).length > 0 ? this.inbox.result.deliveries : undefined);
    }
    if (this.dialect !== "loadout") return undefined;
    this.loadout.evolve(event);
    const isRoute = event.type === "task.noted" && event.kind === "loadout.routed";
    return isRoute ? this.loadout.lastRoute : undefined;
  }
}

/** The channels that an event changes. */
function patchesOf(event: Event | undefined): readonly string[] {
  switch (event?.type) {
    case "step.committed":
    case "state.updated":
    case "run.started":
    case "run.resumed":
      return event.patches.map(({ channel }) => channel);
    default:
      return [];
  }
}
