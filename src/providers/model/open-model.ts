/**
 * The opening of a model by the name of its provider: the provider's package is loaded when it is wanted.
 *
 * 1. A key is named by the variable that holds it and is never part of a configuration.
 */

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { LanguageModel } from "ai";

export interface ModelChoice {
  /** A name of the table below, or a package of a provider for the AI SDK. */
  readonly provider: string;
  /** The model where a turn names none. */
  readonly model: string;
  /** Where the API is, when not at its usual place. */
  readonly baseURL?: string;
  /** The variable that holds the key; the provider's usual one when absent. */
  readonly apiKeyEnv?: string;
}

interface Package {
  readonly name: string;
  /** The export that makes the provider. */
  readonly make: string;
}

const PACKAGES: Readonly<Record<string, Package>> = {
  anthropic: { name: "@ai-sdk/anthropic", make: "createAnthropic" },
  google: { name: "@ai-sdk/google", make: "createGoogleGenerativeAI" },
  groq: { name: "@ai-sdk/groq", make: "createGroq" },
  mistral: { name: "@ai-sdk/mistral", make: "createMistral" },
  openai: { name: "@ai-sdk/openai", make: "createOpenAI" },
  "openai-compatible": { name: "@ai-sdk/openai-compatible", make: "createOpenAICompatible" },
  openrouter: { name: "@openrouter/ai-sdk-provider", make: "createOpenRouter" },
  xai: { name: "@ai-sdk/xai", make: "createXai" },
};

/** The names of the table. */
export const KNOWN_PROVIDERS: readonly string[] = Object.keys(PACKAGES);

type Provider = (model: string) => LanguageModel;
type Make = (settings: Readonly<Record<string, unknown>>) => Provider;

/**
 * Models by name, the usual one without. The package is loaded with the first. Throws a sentence when the package is
 * not installed, or the key is missing.
 */
export function openModel(
  choice: ModelChoice,
  env: Readonly<Record<string, string | undefined>> = process.env,
): (name?: string) => Promise<LanguageModel> {
  const { provider, model, baseURL, apiKeyEnv } = choice;
  const name = packageOf(provider);
  if (installedVersion(name) === undefined) {
    const known = KNOWN_PROVIDERS.includes(provider) ? "" : ` Known: ${KNOWN_PROVIDERS.join(", ")}.`;
    throw new Error(
      `The provider ${JSON.stringify(provider)} comes with the package ${name}, which is not installed. Install it with: npm install ${name}${known}`,
    );
  }
  if (provider === "openai-compatible" && baseURL === undefined) {
    throw new Error(
      'The provider "openai-compatible" needs a "baseURL", such as "http://127.0.0.1:11434/v1".',
    );
  }
  const apiKey = apiKeyEnv === undefined ? undefined : env[apiKeyEnv];
  if (apiKeyEnv !== undefined && (apiKey === undefined || apiKey === "")) {
    throw new Error(`The variable ${apiKeyEnv}, which is to hold the key of ${provider}, is not set.`);
  }
  let making: Promise<Provider> | undefined;
  return async (wanted = model) => {
    making ??= loadMake(provider).then((make) =>
      make({
        ...(provider === "openai-compatible" && COMPATIBLE),
        ...(baseURL !== undefined && { baseURL }),
        ...(apiKey !== undefined && { apiKey }),
      }),
    );
    return (await making)(wanted);
  };
}

/** What somebody who speaks like OpenAI is believed to be able to do, until it declines. */
const COMPATIBLE = { name: "openai-compatible", includeUsage: true, supportsStructuredOutputs: true };

/** The package of a provider. */
export function packageOf(provider: string): string {
  return Object.hasOwn(PACKAGES, provider) ? (PACKAGES[provider] as Package).name : provider;
}

/** The version of a package that is there; nothing when there is none. None of it is run. */
export function installedVersion(name: string): string | undefined {
  if (!/^(@[\w-][\w.-]*\/)?[\w-][\w.-]*$/.test(name)) return undefined;
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const file = folders.map((folder) => join(folder, name, "package.json")).find((path) => existsSync(path));
  if (file === undefined) return undefined;
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version?: string }; // npm wrote it
  return version ?? "unknown";
}

async function loadMake(provider: string): Promise<Make> {
  const name = packageOf(provider);
  const exported = (await import(name)) as Readonly<Record<string, unknown>>; // a module
  const known = Object.hasOwn(PACKAGES, provider) ? PACKAGES[provider]?.make : undefined;
  const make = known ?? Object.keys(exported).find((key) => /^create[A-Z]/.test(key));
  const found = make === undefined ? undefined : exported[make];
  if (typeof found !== "function")
    throw new Error(`The package ${name} is no provider of models for the AI SDK.`);
  return found as Make; // by the convention of the AI SDK
}
