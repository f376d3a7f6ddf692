/** Listening: the app behind a socket of this machine, and how it is closed. */

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";

export interface Listening {
  readonly port: number;
  /** Ends every connection, and resolves when all are gone. */
  close(): Promise<void>;
}

type Fetch = (request: Request) => Response | Promise<Response>;

/** Binds the address; 0 is any free port. Throws what the system says, such as `EADDRINUSE`. */
export async function listen(
  fetch: Fetch,
  { hostname, port }: { readonly hostname: string; readonly port: number },
): Promise<Listening> {
  const server = createAdaptorServer({ fetch, hostname, overrideGlobalObjects: false }) as Server; // no TLS was asked for
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port, // it listens on a port, not on a pipe
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 500).unref();
      }),
  };
}
