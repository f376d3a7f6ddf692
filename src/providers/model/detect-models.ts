/** What of the way to models is installed, and what to write to use one. */

import { installedVersion, KNOWN_PROVIDERS, packageOf } from "./open-model.ts";

export interface DetectedModels {
  /** The version of the AI SDK; nothing when it is missing. */
  readonly sdk?: string;
  /** The providers whose packages are there, with their versions. */
  readonly providers: readonly { readonly provider: string; readonly version: string }[];
  /** The line to put into a config when all is there, else how to get it. */
  readonly advice: string;
}

/** Looks for packages, and runs none of them. */
export function detectModels(): DetectedModels {
  const sdk = installedVersion("ai");
  const providers = KNOWN_PROVIDERS.flatMap((provider) => {
    const version = installedVersion(packageOf(provider));
    return version === undefined ? [] : [{ provider, version }];
  });
  const missing = [
    ...(sdk === undefined ? ["ai@7"] : []),
    ...(providers.length === 0 ? ["@ai-sdk/openai-compatible"] : []),
  ];
  const [first] = providers;
  const advice =
    missing.length > 0 || first === undefined
      ? `Install it with: npm install ${missing.join(" ")}`
      : `"agents": { "NAME": ${JSON.stringify(entryFor(first.provider))} }`;
  return { ...(sdk !== undefined && { sdk }), providers, advice };
}

function entryFor(provider: string): object {
  const at = provider === "openai-compatible" ? { baseURL: "URL" } : {};
  return { kind: "model", provider, ...at, model: "MODEL", apiKeyEnv: "VARIABLE" };
}
