/**
 * The app: a request comes in, the guard looks at it, its row answers, and every response leaves with the same headers.
 *
 * 1. Whatever is thrown leaves as an error document with the status of its code.
 * 2. What is answered from logs and files is JSON or plain text, and nothing that a browser might take for a page.
 */

import { type Context, Hono } from "hono";
import { ROUTES, type Route, type RouteName } from "../protocol/routes.ts";
import type { Assets } from "./assets.ts";
import { Feed } from "./feed.ts";
import { type Door, requireOwnAddress, requireToken, welcome } from "./guard.ts";
import { newNonce, policyFor } from "./policy.ts";
import { Problem, responseFor } from "./problem.ts";
import { ANSWERS, type Asked } from "./routes.ts";
import type { Studio } from "./studio.ts";

export interface AppOptions {
  readonly studio: Studio;
  readonly door: Door;
  /** The page. */
  readonly assets: Assets;
  /** Fires when the server stops: streams end then. */
  readonly stopping: AbortSignal;
  /** Told of faults that are nobody's mistake. */
  readonly onFault?: (thrown: unknown) => void;
}

const HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const PLAIN = {
  "content-type": "text/plain; charset=utf-8",
  "cache-control": "private, max-age=31536000, immutable",
};

/** Answers requests, wherever they come from. */
export interface App {
  fetch(request: Request): Response | Promise<Response>;
}

/** Every response has a nonce of its own, which the page of it carries. */
interface Nonced {
  Variables: { readonly nonce: string };
}

/** Makes the app. It listens nowhere yet. */
export function makeApp(options: AppOptions): App {
  const { door, assets, onFault = () => {} } = options;
  const app = new Hono<Nonced>();
  app.use(async (context, next) => {
    const nonce = newNonce();
    context.set("nonce", nonce);
    await next();
    context.res.headers.set("content-security-policy", policyFor(nonce));
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
  });
  app.onError((thrown) => {
    const response = responseFor(thrown); // (1)
    if (response.status === 500) onFault(thrown);
    return response;
  });
  app.use(async ({ req }, next) => {
    requireOwnAddress(req.raw, door);
    const response = welcome(req.raw, door);
    return response ?? next();
  });
  app.use("/api/*", async ({ req }, next) => {
    requireToken(req.raw, door);
    await next();
  });
  addRoutes(app, options);
  app.all("/api/*", () => {
    throw new Problem("not_found", "There is no such route; GET /api/openapi.json names them all.");
  });
  app.get("*", ({ req, var: { nonce } }) => assets.respond(new URL(req.url).pathname, nonce));
  app.notFound(() => responseFor(new Problem("not_found", "There is nothing here.")));
  return app;
}

function addRoutes(app: Hono<Nonced>, { studio, stopping }: AppOptions): void {
  const feed = new Feed(studio.live);
  for (const [name, route] of Object.entries(ROUTES)) {
    const answer = ANSWERS[name as RouteName]; // a key of ROUTES
    app.on(route.method, route.path, async (context) => {
      if (stopping.aborted) throw new Problem("stopping", "The studio is being closed.");
      const answered = await answer(askedIn(context, route, { studio, feed, stopping }));
      if (answered instanceof Response) return answered;
      if (typeof answered === "string") return new Response(answered, { headers: PLAIN }); // (2)
      return Response.json(answered, { headers: { "cache-control": "no-store" } }); // (2)
    });
  }
}

function askedIn(
  { req }: Context,
  { path }: Route,
  around: Pick<Asked, "studio" | "feed" | "stopping">,
): Asked {
  const fixed = path.endsWith("*") ? path.length - 1 : undefined;
  return {
    ...around,
    request: req.raw,
    part: (name) => req.param(name) ?? "",
    rest: fixed === undefined ? "" : decoded(new URL(req.url).pathname.slice(fixed)),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Problem("not_found", "The address is not encoded as it should be.");
  }
}
