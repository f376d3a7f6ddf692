/**
 * Where a studio listens, and what a request may call it.
 *
 * 1. Without `--host` it is reached from this machine alone.
 * 2. Another address is listened on only with a token that the person chose, and aloud.
 */

import { hostname as machineName } from "node:os";
import type { Door } from "../../server/guard.ts";
import { type Listening, listen } from "../../server/listen.ts";
import { Misuse } from "../misuse.ts";
import type { Options } from "../verb.ts";

const LOOPBACK = "127.0.0.1";
const LOOPBACKS: readonly string[] = [LOOPBACK, "localhost", "::1", "[::1]"];
const EVERYWHERE: readonly string[] = ["0.0.0.0", "::"];
const PORT = 4747;
const HIGHEST = 65_535;

export interface Wanted {
  readonly hostname: string;
  /** `undefined` when none was named. */
  readonly port: number | undefined;
  readonly isLocal: boolean;
}

/** The address that the flags ask for. */
export function wantedAddress({ host, port, token }: Options): Wanted {
  const hostname = host ?? LOOPBACK;
  const isLocal = LOOPBACKS.includes(hostname);
  if (!isLocal && (token === undefined || token.length < 16)) {
    const hint = "Whoever has the token can start programs here. Choose one of at least 16 characters.";
    throw new Misuse("usage", `--host ${hostname} needs a --token of your own.`, { hint });
  }
  if (token !== undefined && !/^[\w.~-]+$/.test(token)) {
    throw new Misuse("usage", "--token takes letters, digits and . _ ~ - only.");
  }
  return { hostname: hostname.replace(/^\[(.*)\]$/, "$1"), port: portFrom(port), isLocal };
}

function portFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= HIGHEST) return Number(text);
  throw new Misuse("usage", `--port is a number from 0 (any free one) to ${HIGHEST}, and not ${text}.`);
}

/** Listens on the port that was named, or on the usual one, or where that is taken on any free one. */
export async function listenAt(
  fetch: Parameters<typeof listen>[0],
  { hostname, port }: Wanted,
): Promise<Listening> {
  try {
    return await listen(fetch, { hostname, port: port ?? PORT });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // what listening throws is always one
    if (code === "EADDRINUSE" && port === undefined) return listen(fetch, { hostname, port: 0 });
    throw new Misuse("usage", `${hostname}:${port ?? PORT} cannot be listened on: ${message}.`);
  }
}

/** The `Host` headers that mean this studio. */
export function ownHosts({ hostname, isLocal }: Wanted, port: () => number): Door["isOwnHost"] {
  const isName = (name: string) => {
    if (isLocal) return LOOPBACKS.includes(name);
    if (EVERYWHERE.includes(hostname))
      return isNumeric(name) || name === "localhost" || name === machineName();
    return name === hostname || name === `[${hostname}]`;
  };
  return (host) => {
    const [, name = "", given = "80"] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(host.toLowerCase()) ?? [];
    return Number(given) === port() && isName(name);
  };
}

/** A name can be made to lead here by whoever owns it; a number cannot. */
function isNumeric(name: string): boolean {
  return /^(\d{1,3}\.){3}\d{1,3}$|^\[[0-9a-f:.]+\]$/.test(name);
}

/** The address that a person opens. */
export function addressOf({ hostname }: Wanted, port: number): string {
  const name = EVERYWHERE.includes(hostname) ? machineName() : hostname;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
