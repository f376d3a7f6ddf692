/** Random fields: every kind of channel and reducer, and what it holds after a step by a model that is plain lists. */
import {
  BinaryOperatorAggregate,
  EphemeralValue,
  type Field,
  field,
  LastValue,
  type Message,
  Overwrite,
  reducers,
  removeMessage,
  Topic,
} from "batonjs";
import fc from "fast-check";

interface Kind {
  readonly make: () => Field<never, never>;
  /** What a node of this name writes. */
  readonly write: (name: string) => unknown;
  /** What the field holds at first. */
  readonly first: unknown;
  /** What it holds after a step in which these nodes wrote, in task order. */
  readonly after: (current: never, names: readonly string[]) => unknown;
  /** True when two writes in one step are an error, so that one node alone may write. */
  readonly isAlone?: boolean;
}

const numberOf = (name: string) => Number(name.slice(1));
const idOf = (name: string) => `id${numberOf(name) % 3}`;
const isRemoval = (name: string) => numberOf(name) % 4 === 3;
const any = (options: object) => field(options) as unknown as Field<never, never>;
const nest = (current: string, update: string) => `(${current}${update})`;

/** A message of each name takes the place of the one with its id; some names remove instead. */
function afterMessages(current: readonly Message[], names: readonly string[]): readonly Message[] {
  return names.reduce<readonly Message[]>((list, name) => {
    const id = idOf(name);
    if (isRemoval(name)) return list.filter((message) => message.id !== id);
    const message = { id, content: name };
    return list.some((one) => one.id === id)
      ? list.map((one) => (one.id === id ? message : one))
      : list.concat(message);
  }, current);
}

const same = (name: string) => name;
const join = (current: string[], names: readonly string[]) => [...current, ...names];
const unique = (names: readonly string[]) => [...new Set(names)];

export const KINDS: Readonly<Record<string, Kind>> = {
  last: {
    ...{ make: () => any({}), write: same, first: undefined, isAlone: true },
    after: (current, names) => names.at(-1) ?? current,
  },
  "last, with a default and a Date": {
    ...{ make: () => any({ channel: new LastValue(() => new Date(0)) }), first: new Date(0), isAlone: true },
    write: (name) => new Date(numberOf(name) + 1),
    after: (current, names) => (names[0] === undefined ? current : new Date(numberOf(names[0]) + 1)),
  },
  "add, on numbers": {
    ...{ make: () => any({ reducer: reducers.add, default: 0 }), write: numberOf, first: 0 },
    after: (current: number, names) => names.reduce((sum, name) => sum + numberOf(name), current),
  },
  "add, on big integers": {
    ...{ make: () => any({ reducer: reducers.add, default: 0n }), write: () => 2n ** 60n, first: 0n },
    after: (current: bigint, names) => current + 2n ** 60n * BigInt(names.length),
  },
  "add, on texts": {
    ...{ make: () => any({ reducer: reducers.add, default: "" }), write: same, first: "" },
    after: (current: string, names) => current + names.join(""),
  },
  "add, on lists": {
    ...{ make: () => any({ reducer: reducers.add, default: () => [] }), write: (name) => [name], first: [] },
    after: join,
  },
  append: { make: () => any({ reducer: reducers.append, default: [] }), write: same, first: [], after: join },
  merge: {
    ...{
      make: () => any({ reducer: reducers.merge, default: {} }),
      write: (name) => ({ [name]: { name } }),
      first: {},
    },
    after: (current: object, names) => ({
      ...current,
      ...Object.fromEntries(names.map((name) => [name, { name }])),
    }),
  },
  replace: {
    ...{ make: () => any({ reducer: reducers.replace, default: "none" }), write: same, first: "none" },
    after: (current, names) => names.at(-1) ?? current,
  },
  messages: {
    ...{ make: () => any({ reducer: reducers.messages, default: [] }), first: [], after: afterMessages },
    write: (name) => (isRemoval(name) ? removeMessage(idOf(name)) : { id: idOf(name), content: name }),
  },
  "a reducer to which the order matters": {
    ...{ make: () => any({ reducer: nest, default: "" }), write: same, first: "" },
    after: (current: string, names) => names.reduce(nest, current),
  },
  "a BinaryOperatorAggregate that begins empty": {
    ...{ make: () => any({ channel: new BinaryOperatorAggregate(nest) }), write: same, first: undefined },
    after: (current: string | undefined, names) =>
      names.reduce<string | undefined>(
        (held, name) => (held === undefined ? name : nest(held, name)),
        current,
      ),
  },
  "a list that some overwrite": {
    ...{ make: () => any({ reducer: reducers.append, default: [] }), first: [] },
    write: (name) => (isRemoval(name) ? new Overwrite([name]) : [name]),
    after: (current: string[], names) =>
      names.reduce((list, name) => (isRemoval(name) ? [name] : list.concat(name)), current),
  },
  "an EphemeralValue": {
    ...{ make: () => any({ channel: new EphemeralValue({ guard: false }) }), write: same, first: undefined },
    after: (_current, names) => names.at(-1),
  },
  "a guarded EphemeralValue": {
    ...{ make: () => any({ channel: new EphemeralValue() }), write: same, first: undefined, isAlone: true },
    after: (_current, names) => names.at(-1),
  },
  "a Topic": {
    ...{ make: () => any({ channel: new Topic() }), write: same, first: [] },
    after: (_current, names) => [...names],
  },
  "a unique Topic": {
    ...{
      make: () => any({ channel: new Topic({ unique: true }) }),
      write: (name) => [name, name],
      first: [],
    },
    after: (_current, names) => unique(names),
  },
  "a Topic that accumulates": {
    ...{ make: () => any({ channel: new Topic({ accumulate: true }) }), write: same, first: [], after: join },
  },
  "a unique Topic that accumulates": {
    ...{
      make: () => any({ channel: new Topic({ accumulate: true, unique: true }) }),
      write: same,
      first: [],
    },
    after: (current: string[], names) => unique([...current, ...names]),
  },
};

export interface RandomField {
  readonly kind: string;
  /** The names of the nodes that write to it. */
  readonly writers: readonly string[];
}

/** Up to six fields of any kinds, each with the nodes that write to it. */
export const randomFields: fc.Arbitrary<readonly RandomField[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...Object.keys(KINDS)),
    writers: fc.subarray(["n0", "n1", "n2", "n3", "n4", "n5", "n6"], { minLength: 1 }),
  }),
  { maxLength: 6 },
);

const kindOf = ({ kind }: RandomField) => KINDS[kind] as Kind; // the keys were drawn from it
const keyOf = (place: number) => `field${place}`;
const writersOf = (one: RandomField) => (kindOf(one).isAlone ? one.writers.slice(0, 1) : one.writers);

/** The definitions of the fields. */
export function definitionOf(fields: readonly RandomField[]): Record<string, Field<never, never>> {
  return Object.fromEntries(fields.map((one, place) => [keyOf(place), kindOf(one).make()]));
}

/** What a node of this name writes to them. */
export function updateBy(fields: readonly RandomField[], name: string): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((one, place) =>
      writersOf(one).includes(name) ? [[keyOf(place), kindOf(one).write(name)]] : [],
    ),
  );
}

/** What they hold at first and after each step, by the model; a field that holds nothing has no key. */
export function momentsOf(fields: readonly RandomField[], steps: readonly (readonly string[])[]) {
  let held: unknown[] = fields.map((one) => kindOf(one).first);
  const moments = [held];
  for (const names of steps) {
    held = fields.map((one, place) => {
      const wrote = names.filter((name) => writersOf(one).includes(name));
      return kindOf(one).after(held[place] as never, wrote);
    });
    moments.push(held);
  }
  return moments.map((values) =>
    Object.fromEntries(
      values.flatMap((value, place) => (value === undefined ? [] : [[keyOf(place), value]])),
    ),
  );
}
