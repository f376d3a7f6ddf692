/**
 * The gate is an extension that pi loads: it asks Baton before every call of a tool, over pi's own dialogs.
 *
 * 1. What cannot be asked about, or is answered in a way that cannot be read, is not done.
 */

/** As much of pi as the gate needs. */
interface Pi {
  on(
    event: "tool_call",
    handle: (event: ToolCallEvent, context: Context) => Promise<Block | undefined>,
  ): void;
}

interface ToolCallEvent {
  readonly toolName: string;
  readonly input: Record<string, unknown>;
}

interface Context {
  readonly ui: { input(title: string, placeholder: string): Promise<string | undefined> };
}

interface Block {
  readonly block: true;
  readonly reason: string;
}

/** The title by which Baton tells the gate's dialogs from others. It is repeated in `dialogs.ts`: pi loads this file alone. */
const TITLE = "baton:tool_call";

// biome-ignore lint/style/noDefaultExport: pi loads what an extension exports by default
export default function gate(pi: Pi): void {
  pi.on("tool_call", async ({ toolName, input }, { ui }) => {
    const answer = read(await ui.input(TITLE, JSON.stringify({ tool: toolName, input })));
    if (answer?.allow !== true) return { block: true, reason: answer?.reason ?? "This was not allowed." };
    if (answer.input !== undefined) {
      for (const key of Object.keys(input)) delete input[key];
      Object.assign(input, answer.input);
    }
    return undefined;
  });
}

interface Answer {
  readonly allow?: boolean;
  readonly reason?: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

function read(text: string | undefined): Answer | undefined {
  try {
    return JSON.parse(text ?? "null") as Answer | undefined; // Baton wrote it; `null` is no answer
  } catch {
    return undefined; // (1)
  }
}
