/** The host of a graph's run: any platform that runs JavaScript, so that a graph works in a browser too. */

import { runChild } from "../run/child.ts";
import type { Host } from "../run/host.ts";
import type { Session } from "./session.ts";

/** A host that runs sub-graphs in this process, under the limits of a call, and passes progress on. */
export function graphHost(
  { concurrency, limit }: Pick<Session, "concurrency" | "limit">,
  progress?: Host["progress"],
): Host {
  const host: Host = {
    digest,
    child: (request, origin) => runChild(host, request, origin),
    steps: limit,
    ...(concurrency !== undefined && { concurrency }),
    ...(progress && { progress }),
  };
  return host;
}

/** Nodes of a graph are given no way to store texts, so nothing asks for the address of one. */
function digest(): never {
  throw new Error("Bug in Baton: a node of a graph stored a text. Please report it.");
}
