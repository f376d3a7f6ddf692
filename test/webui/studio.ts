/** Opens the studio as a person would: its page is built, its server runs in a folder of its own, a browser shows it. */

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from "playwright-core";
import { afterAll, afterEach } from "vitest";
import { CommandLine, type Going, ROOT } from "../scenarios/cli-harness.ts";

const WEB = join(ROOT, "web");
const TOKEN = "a-token-for-these-tests-alone";

const ARGUMENTS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

/** Where the browser of this machine is; `npm test` installs one where it can. */
function findChromium(): string | undefined {
  const path = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  if (existsSync(path)) return path;
  console.warn(`No browser at ${path}: the tests of the page are skipped. Set CHROMIUM to where one is.`);
  return undefined;
}

export const CHROMIUM: string | undefined = findChromium();

/** Builds the page when something that it is made of is newer than what was built; one test file at a time. */
function build(): void {
  const lock = join(WEB, "node_modules", ".building");
  for (let waited = 0; !taken(lock) && waited < 120; waited++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  }
  try {
    buildIfStale();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function taken(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

function buildIfStale(): void {
  const built = join(WEB, "dist", "index.html");
  const made = existsSync(built) ? statSync(built).mtimeMs : 0;
  const sources = [join(WEB, "src"), join(WEB, "index.html"), join(WEB, "vite.config.ts"), join(ROOT, "src")];
  if (sources.every((source) => newest(source) < made)) return;
  const vite = join(ROOT, "node_modules", "vite", "bin", "vite.js");
  execFileSync(process.execPath, [vite, "build"], {
    ...{ cwd: WEB, stdio: "ignore" },
    // What people get, whatever the tests run in; a page of another test may still ask for what was built before.
    env: { ...process.env, NODE_ENV: "production", BATON_KEEP_ASSETS: "1" },
  });
}

function newest(path: string): number {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  const inside = readdirSync(path, { recursive: true, encoding: "utf8" });
  return Math.max(0, ...inside.map((name) => statSync(join(path, name)).mtimeMs));
}

let browser: Browser | undefined;
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

afterAll(async () => {
  await browser?.close();
  browser = undefined;
});

export class Studio {
  readonly cli: CommandLine;
  #server: Going | undefined;
  #port: string = "0";

  /**
   * A studio in a folder with these files; `examples` are copied from the examples of the project, and `prepare` may
   * put something into its folder before it is started.
   */
  static async open(
    examples: readonly string[],
    files: Readonly<Record<string, unknown>> = {},
    prepare: (folder: string) => Promise<void> = async () => {},
  ): Promise<Studio> {
    build();
    const studio = new Studio(files);
    for (const name of examples) cpSync(join(ROOT, "examples", name), join(studio.cli.cwd, name));
    await prepare(studio.cli.cwd);
    await studio.start();
    closing.push(() => studio.kill("SIGTERM"));
    return studio;
  }

  private constructor(files: Readonly<Record<string, unknown>>) {
    this.cli = new CommandLine(files);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts the server, at the port that it had before. */
  async start(): Promise<void> {
    this.#server = this.cli.start(["studio", "--no-open", "--port", this.#port, "--token", TOKEN]);
    await this.#server.until("http://127.0.0.1:");
    const said = this.#server.said.stdout + this.#server.said.stderr;
    this.#port = /127\.0\.0\.1:(\d+)/.exec(said)?.[1] ?? "0";
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    this.#server?.child.kill(signal);
    await this.#server?.ended;
    this.#server = undefined;
  }

  /** Asks the server for something, beside the page. */
  async ask<T>(path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.origin + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T; // the contract of the route
  }

  /** A page of the studio, opened with its token. */
  async page(path: string = "/runs", options: BrowserContextOptions = {}): Promise<Shown> {
    browser ??= await chromium.launch({ executablePath: CHROMIUM ?? "", args: ARGUMENTS });
    const context = await browser.newContext({ viewport: { width: 1280, height: 820 }, ...options });
    closing.push(() => context.close());
    const page = await context.newPage();
    const shown = new Shown(page, this.origin);
    await page.goto(`${this.origin}/runs?token=${TOKEN}`);
    await page.goto(this.origin + path);
    return shown;
  }
}

/** In milliseconds: a page that stays as it is for so long has come to rest, also where it waits before it checks. */
const REST = 400;

/** A number for all that the page shows, or nothing while something moves in it that will stop. */
const LOOKS = `(() => {
  const isMoving = ({ playState, effect }) =>
    playState === "running" && effect?.getComputedTiming().endTime !== Infinity;
  if (document.fonts.status !== "loaded" || document.getAnimations().some(isMoving)) return null;
  let sum = 0;
  for (const unit of document.documentElement.outerHTML) sum = (sum * 31 + unit.codePointAt(0)) | 0;
  return sum;
})()`;

/** A page, and what it did that a test may want to know of. */
export class Shown {
  readonly page: Page;
  /** What was thrown in the page, or refused by its policy. */
  readonly faults: string[] = [];
  /** Where it went outside of the studio. */
  readonly foreign: string[] = [];
  /** What it has asked for and not got yet; a stream that stays open does not count. */
  readonly #asked: Set<Request> = new Set();

  constructor(page: Page, origin: string) {
    this.page = page;
    page.setDefaultTimeout(30_000);
    page.on("pageerror", (error) => this.faults.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("Failed to load resource")) {
        this.faults.push(message.text());
      }
    });
    page.on("requestfinished", (request) => this.#asked.delete(request));
    page.on("requestfailed", (request) => this.#asked.delete(request));
    page.on("response", (response) => {
      if (response.headers()["content-type"]?.includes("event-stream"))
        this.#asked.delete(response.request());
    });
    page.on("request", (request) => {
      this.#asked.add(request);
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith("blob:"))
        this.foreign.push(request.url());
    });
  }

  /** Waits until nothing is asked for, nothing is drawn anew and nothing moves any more. */
  async still(): Promise<void> {
    let before: number | null = null;
    let since = Date.now();
    for (const from = since; Date.now() - since < REST; ) {
      const now = this.#asked.size === 0 ? await this.read<number | null>(LOOKS) : null;
      if (now === null || now !== before) since = Date.now();
      before = now;
      if (Date.now() - from > 30_000) throw new Error("The page never came to rest.");
      await this.page.waitForTimeout(40);
    }
  }

  /** Waits until nothing is being loaded or drawn any more. */
  async settled(): Promise<void> {
    const isBusy = "/Loading…|Drawing the graph/.test(document.body.textContent)";
    const isFilled = "(document.querySelector('main')?.textContent.length ?? 0) > 10";
    await this.until(`${isFilled} && !${isBusy}`);
    await this.still();
  }

  /** Waits until an expression is true in the page, whose policy lets nothing evaluate one but the browser itself. */
  async until(expression: string): Promise<void> {
    for (const from = Date.now(); !(await this.read<boolean>(expression)); ) {
      if (Date.now() - from > 30_000) throw new Error(`It never came to this: ${expression}`);
      await this.page.waitForTimeout(30);
    }
  }

  /** What an expression comes to in the page. */
  read<T>(expression: string): Promise<T> {
    return this.page.evaluate<T>(expression);
  }
}
