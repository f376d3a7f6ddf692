/**
 * What the benches use of the peer. It is declared here so that types are checked alike whether the peer is installed
 * or not; an ambient declaration stands before what a package brings.
 */

declare module "@langchain/langgraph" {
  export const START: "__start__";
  export const END: "__end__";

  export interface PeerConfig {
    readonly recursionLimit?: number;
    readonly configurable?: { readonly thread_id: string };
    readonly streamMode?: "values" | "updates";
    readonly durability?: "sync" | "async" | "exit";
  }

  export interface PeerApp<State> {
    invoke(input: Partial<State> | null, config?: PeerConfig): Promise<State>;
    stream(input: Partial<State> | null, config?: PeerConfig): Promise<AsyncIterable<unknown>>;
  }

  interface Channel<Value> {
    readonly "~value"?: Value;
  }
  type Fields = Readonly<Record<string, Channel<unknown>>>;
  interface Root<F extends Fields> {
    readonly "~state"?: { readonly [K in keyof F]: F[K] extends Channel<infer Value> ? Value : never };
  }

  export const Annotation: {
    <Value>(): Channel<Value>;
    <Value, Update = Value>(options: {
      readonly reducer: (current: Value, update: Update) => Value;
      readonly default: () => Value;
    }): Channel<Value>;
    Root<F extends Fields>(fields: F): Root<F>;
  };

  export class Send {
    constructor(node: string, input: unknown);
  }

  export class StateGraph<State> {
    constructor(root: { readonly "~state"?: State });
    // A node may return less than an update, and the input of a `Send` is no state.
    addNode(name: string, action: (state: never) => object | Promise<object>): this;
    addEdge(from: string | readonly string[], to: string): this;
    addConditionalEdges(from: string, path: (state: State) => string | readonly (string | Send)[]): this;
    compile(options?: { readonly checkpointer?: object }): PeerApp<State>;
  }
}

declare module "@langchain/langgraph-checkpoint-sqlite" {
  export class SqliteSaver {
    constructor(db: object);
  }
}
