/**
 * The gate is an extension that pi loads: it asks Baton before every call of a tool, and offers the tools of the graph,
 * whose calls it passes to Baton, all over pi's own dialogs.
 *
 * 1. What cannot be asked about, or is answered in a way that cannot be read, is not done.
 * 2. The tools of the graph need nobody's permission: what they are given is checked where it arrives.
 */

/** As much of pi as the gate needs. */
interface Pi {
  on(
    event: "tool_call",
    handle: (event: ToolCallEvent, context: Context) => Promise<Block | undefined>,
  ): void;
  registerTool(tool: Tool): void;
}

interface ToolCallEvent {
  readonly toolName: string;
  readonly input: Record<string, unknown>;
}

interface Context {
  readonly ui: {
    input(
      title: string,
      placeholder: string,
      options?: { readonly signal?: AbortSignal },
    ): Promise<string | undefined>;
  };
}

interface Block {
  readonly block: true;
  readonly reason: string;
}

interface Tool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: object;
  execute(
    id: string,
    input: Record<string, unknown>,
    signal: AbortSignal | undefined,
    onUpdate: unknown,
    context: Context,
  ): Promise<Result>;
}

interface Result {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly details: undefined;
}

/** A tool of the graph, as Baton describes it. */
interface GraphTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
}

/** The titles by which Baton tells the gate's dialogs from others. They are repeated in `dialogs.ts`: pi loads this file alone. */
const CALL = "baton:tool_call";
const GRAPH = "baton:graph_tool";
/** The variable in which Baton describes the tools of the graph. */
const TOOLS = "BATON_GRAPH_TOOLS";
/** What stands before the names of the tools of the graph, so that they are nobody else's. */
const PREFIX = "baton_";

// biome-ignore lint/style/noDefaultExport: pi loads what an extension exports by default
export default function gate(pi: Pi): void {
  const tools = (read<readonly GraphTool[]>(process.env[TOOLS]) ?? []).map(toolOf);
  for (const tool of tools) pi.registerTool(tool);
  const ours = new Set(tools.map(({ name }) => name));
  pi.on("tool_call", async ({ toolName, input }, { ui }) => {
    if (ours.has(toolName)) return undefined; // (2)
    const answer = read<Answer>(await ui.input(CALL, JSON.stringify({ tool: toolName, input })));
    if (answer?.allow !== true) return { block: true, reason: answer?.reason ?? "This was not allowed." };
    if (answer.input !== undefined) {
      for (const key of Object.keys(input)) delete input[key];
      Object.assign(input, answer.input);
    }
    return undefined;
  });
}

function toolOf({ name: tool, description, parameters }: GraphTool): Tool {
  return {
    ...{ name: `${PREFIX}${tool}`, label: `Baton: ${tool}`, description, parameters },
    async execute(_id, input, signal, _onUpdate, { ui }) {
      const asked = ui.input(GRAPH, JSON.stringify({ tool, input }), signal && { signal });
      const answer = read<Told>(await asked);
      if (answer?.isError !== false) throw new Error(answer?.text ?? "Your turn was stopped."); // (1)
      return { content: [{ type: "text", text: answer.text }], details: undefined };
    },
  };
}

/** What Baton says to a call of a tool. */
interface Answer {
  readonly allow?: boolean;
  readonly reason?: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

/** What Baton says to a call of a tool of the graph. */
interface Told {
  readonly text: string;
  readonly isError: boolean;
}

/** What Baton wrote; `null` is nothing. */
function read<T>(text: string | undefined): T | undefined {
  try {
    return (JSON.parse(text ?? "null") as T | null) ?? undefined; // Baton wrote it
  } catch {
    return undefined; // (1)
  }
}
