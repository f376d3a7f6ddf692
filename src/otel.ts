/** `batonjs/otel`: runs as spans of OpenTelemetry, by the GenAI semantic conventions. It needs `@opentelemetry/api`. */

export { RunTracer, SEMANTIC_CONVENTIONS, type TraceOptions, traceRun } from "./telemetry/run-tracer.ts";
