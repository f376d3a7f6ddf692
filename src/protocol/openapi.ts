/** The routes as an OpenAPI 3.1 document, made of the table and of the shapes that the door itself uses. */

import type { Json, JsonObject } from "../base/json.ts";
import type { Shape } from "../base/shape.ts";
import { ROUTES, type Route, type RouteName } from "./routes.ts";
import { checkShape, forkShape, saveShape, simulateShape, startShape, verbShape } from "./shapes.ts";

const BODIES: Readonly<Partial<Record<RouteName, Shape>>> = {
  start: startShape,
  command: verbShape,
  fork: forkShape,
  save: saveShape,
  check: checkShape,
  simulate: simulateShape,
};

const WHOLE: JsonObject = { type: "integer", minimum: 0 };
const TEXT: JsonObject = { type: "string" };
const QUERIES: Readonly<Partial<Record<RouteName, Readonly<Record<string, JsonObject>>>>> = {
  runs: {
    status: { enum: ["running", "waiting", "paused", "completed", "failed", "cancelled"] },
    search: TEXT,
    dialect: TEXT,
    limit: { type: "integer", minimum: 1, maximum: 500, default: 50 },
    cursor: TEXT,
  },
  events: { after: WHOLE, limit: { type: "integer", minimum: 1, maximum: 5000, default: 1000 } },
  stream: { after: WHOLE },
  visits: {
    node: { type: "array", items: TEXT, minItems: 1 },
    before: WHOLE,
    limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
  },
};
const STREAMS: readonly RouteName[] = ["feed", "stream"];

const ERROR: JsonObject = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: {
        code: TEXT,
        message: { type: "string", description: "One sentence that says what is wrong." },
        hint: { type: "string", description: "One sentence that says what to do." },
        issues: { type: "array", items: { type: "object" } },
        powers: { type: "array", items: TEXT },
      },
    },
  },
};

/** The document. */
export function openApi(version: string = "1"): JsonObject {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, route] of Object.entries(ROUTES)) {
    const path = route.path.replace(/:(\w+)/g, "{$1}").replace("*", "{path}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name as RouteName, route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Baton studio", version },
    paths,
    components: {
      schemas: { Error: ERROR },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
    security: [{ token: [] }],
  };
}

function operation(name: RouteName, { path, summary }: Route): JsonObject {
  const body = BODIES[name];
  const content = STREAMS.includes(name) ? "text/event-stream" : "application/json";
  const schema: JsonObject = STREAMS.includes(name) ? TEXT : { type: "object" };
  return {
    operationId: name,
    summary,
    parameters: [...parts(path), ...query(QUERIES[name] ?? {})],
    ...(body && {
      requestBody: { required: true, content: { "application/json": { schema: body.schema } } },
    }),
    responses: {
      "200": { description: summary, content: { [content]: { schema } } },
      default: {
        description: "Why it was not done.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

function parts(path: string): readonly JsonObject[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string); // the group always matches
  return [...names, ...(path.endsWith("*") ? ["path"] : [])].map((name) => ({
    ...{ name, in: "path", required: true },
    schema: name === "seq" ? { type: "integer", minimum: 1 } : TEXT,
  }));
}

function query(fields: Readonly<Record<string, JsonObject>>): readonly JsonObject[] {
  return Object.entries(fields).map(([name, schema]) => ({ name, in: "query", required: false, schema }));
}
