/** `batonjs/server`: the studio's server as an app that can be mounted elsewhere; what it stands on is a port. */

export type { AnswerOf, Answers } from "./protocol/answers.ts";
export { openApi } from "./protocol/openapi.ts";
export { type App, type AppOptions, makeApp } from "./server/app.ts";
export { Assets } from "./server/assets.ts";
export type { Door } from "./server/guard.ts";
export { type Listening, listen } from "./server/listen.ts";
export { Problem } from "./server/problem.ts";
export type { EventsQuery, Live, News, RunsQuery, Studio } from "./server/studio.ts";
