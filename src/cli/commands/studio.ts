/** `baton studio`: a page on which a person watches runs, answers them and starts them, and a driver for all of them. */

import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { makeApp } from "../../server/app.ts";
import { Assets } from "../../server/assets.ts";
import { Misuse } from "../misuse.ts";
import { Signals } from "../runs/signals.ts";
import { type Store, withStore } from "../runs/store.ts";
import { addressOf, listenAt, ownHosts, type Wanted, wantedAddress } from "../studio/address.ts";
import { Bus } from "../studio/bus.ts";
import { composeStudio } from "../studio/compose.ts";
import { type Place, putUp, studioAt } from "../studio/notice.ts";
import { openBrowser } from "../studio/open-browser.ts";
import type { Premises } from "../studio/premises.ts";
import { harmless } from "../terminal/style.ts";
import { Terminal } from "../terminal/terminal.ts";
import type { Call } from "../verb.ts";

/** How many random bytes are in a token. */
const TOKEN = 24;
/** Where the page lies: in a package beside the compiled files, in a checkout where it is built. */
const PAGE = import.meta.url.endsWith(".ts") ? "../../../web/dist" : "../../../dist/web";

/** Serves until a signal comes; then drivers stop, streams end, and everything recorded stays. */
export async function studio(call: Call): Promise<ExitCode> {
  const { options, terminal } = call;
  const wanted = wantedAddress(options); // before anything is made
  return withStore(options.db, { create: true }, async (store) => {
    refuseSecond({ folder: store.folder, db: options.db });
    const signals = new Signals((name) => terminal.tell(`${name}: stopping. Once more ends at once.`));
    try {
      await serve(call, { store, wanted, signal: signals.signal });
    } finally {
      signals.end();
    }
    return signals.code ?? EXIT.done;
  });
}

interface Serving {
  readonly store: Store;
  readonly wanted: Wanted;
  /** Fires to stop. */
  readonly signal: AbortSignal;
}

async function serve(call: Call, { store, wanted, signal }: Serving): Promise<void> {
  const premises = premisesOf(call, store);
  const { studio, conductor } = composeStudio(premises);
  const token = call.options.token ?? randomBytes(TOKEN).toString("base64url");
  let port = 0; // known once it listens, before the first request
  const app = makeApp({
    studio,
    door: { token, isOwnHost: ownHosts(wanted, () => port), cookie: () => `baton_studio_${port}` },
    assets: new Assets(fileURLToPath(new URL(PAGE, import.meta.url))),
    stopping: signal,
    onFault: premises.tellFault,
  });
  const listening = await listenAt((request) => app.fetch(request), wanted);
  port = listening.port;
  const url = addressOf(wanted, port);
  const takeDown = putUp({ folder: store.folder, db: call.options.db }, { pid: process.pid, url, token });
  tellAddress(call, { url, token, isLocal: wanted.isLocal });
  conductor.begin();
  await fired(signal);
  takeDown();
  await Promise.all([conductor.stop(), listening.close()]);
}

/** Two studios for one database would take runs from each other; the person is led to the one that is there. */
function refuseSecond(place: Place): void {
  const other = studioAt(place);
  if (other === undefined) return;
  const hint = `Open ${other.url}/?token=${other.token}`;
  throw new Misuse("usage", `A studio for this database is up already, as process ${other.pid}.`, { hint });
}

/** Nobody answers questions at the terminal of a studio, and what runs tell is on the page. */
function premisesOf({ options, terminal }: Call, store: Store): Premises {
  return {
    store,
    options: { db: options.db, ...(options.config !== undefined && { config: options.config }) },
    terminal: new Terminal({ quiet: true, muted: true }),
    bus: new Bus(),
    folder: realpathSync(process.cwd()),
    tellFault(thrown) {
      terminal.warn(harmless(`baton: ${thrown instanceof Error ? thrown.message : String(thrown)}`));
    },
  };
}

interface Told {
  readonly url: string;
  readonly token: string;
  readonly isLocal: boolean;
}

function tellAddress({ options, terminal }: Call, { url, token, isLocal }: Told): void {
  const address = `${url}/?token=${token}`;
  terminal.document({ url, token, address, pid: process.pid, db: options.db });
  terminal.event({ url, token, address, pid: process.pid, db: options.db });
  terminal.warn(`The studio is at ${address}`);
  if (!isLocal) {
    terminal.warn(
      "Everybody who reaches this machine and has the token can start programs here, and the token",
    );
    terminal.warn("travels unencrypted. Put something that encrypts in front of it.");
  }
  const wantsBrowser = options.open ?? (terminal.isInteractive && terminal.format === "text" && isLocal);
  if (wantsBrowser) openBrowser(address);
}

function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
