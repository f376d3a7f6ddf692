/**
 * The capture in the documentation: two sockets with a real agent at one terminal, and a person who approves at another.
 * `BATON_CAPTURE=1` plays it and writes what both terminals showed into docs/agents.md.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Step, scripted } from "../fixtures/fake-model/script.ts";
import { BATON } from "../scenarios/cli-harness.ts";
import { House } from "./house.ts";
import { installAgents } from "./install.ts";
import { hasTerminals } from "./tty.ts";

const PAGE = fileURLToPath(new URL("../../docs/agents.md", import.meta.url));
const isWanted = process.env["BATON_CAPTURE"] === "1";

test.runIf(isWanted && hasTerminals)(
  "a person approves from a second terminal",
  { timeout: 120_000 },
  async () => {
    const installed = await installAgents("goose");
    if (!installed.ok) throw new Error(installed.why);
    const house = await House.open("goose", installed.programs.goose);
    try {
      const text = (said: string): Step => ({ text: said });
      house.file("greeting.json", {
        entry: "Socket-1",
        sockets: {
          "Socket-1": { materia: "Build", edges: [{ when: "always", to: "Socket-2" }] },
          "Socket-2": { materia: "Review" },
        },
        materia: {
          Build: {
            tools: "coding",
            prompt: scripted(
              house.write("greeting.txt", "Hello, world.\n"),
              text("greeting.txt is written."),
            ),
          },
          Review: {
            tools: "coding",
            prompt: scripted(
              { tool: "shell", args: { command: "cat greeting.txt" } },
              text("It says hello. Good."),
            ),
          },
        },
      });
      const settings = { command: house.stand.command, env: Object.keys(house.stand.env) };
      house.file("agents.json", { agents: { goose: settings } });
      const run = ["run", "greeting.json", "Greet the world.", "--agent", "goose"];
      const args = ["--config", "agents.json", "--run-id", "greeting"];
      const first = house.sit(...run, ...args);
      const second: string[] = [];
      const sit = async (...call: readonly string[]): Promise<void> => {
        const tty = house.sit(...call);
        await tty.ended;
        second.push(`${second.length > 0 ? "\n" : ""}$ baton ${call.join(" ")}`, tty.text.trimEnd());
      };
      await first.until("[l]ater");
      await sit("why", "greeting");
      await sit("approve", "greeting", "--detach");
      await first.until("cat greeting.txt");
      await sit("approve", "greeting", "--config", "agents.json");
      expect(await first.ended).toBe(0);
      expect(house.read("greeting.txt")).toBe("Hello, world.\n");
      const typed = `$ baton ${run.map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" ")} \\\n    ${args.join(" ")}`;
      write("first", [typed, first.text.trimEnd()], house.cwd);
      write("second", second, house.cwd);
    } finally {
      await house.close();
    }
  },
);

/** Puts what a terminal showed into the page, in place of what stands there. */
function write(terminal: string, shown: readonly string[], cwd: string): void {
  const page = readFileSync(PAGE, "utf8");
  const text = shown.join("\n").replaceAll(cwd, "/home/you/work").replaceAll(BATON, "baton");
  const block = new RegExp(`(<!-- ${terminal} terminal -->\n\`\`\`text\n)[^]*?(\`\`\`)`);
  expect(page).toMatch(block);
  writeFileSync(
    PAGE,
    page.replace(block, (_, begin: string, end: string) => `${begin}${text}\n${end}`),
  );
}
