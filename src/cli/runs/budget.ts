/** A budget as people write it: `tokens=2M,usd=5,time=1h`. */

import { Misuse } from "../misuse.ts";

export interface GivenBudget {
  readonly maxTokens?: number;
  readonly maxCostUsd?: number;
  /** For how long this command may drive the run, in milliseconds. */
  readonly time?: number;
}

interface Limit {
  readonly key: keyof GivenBudget;
  readonly form: RegExp;
  readonly units: Readonly<Record<string, number>>;
  readonly example: string;
}

const LIMITS: Readonly<Record<string, Limit>> = {
  tokens: {
    key: "maxTokens",
    form: /^(\d+(?:\.\d+)?)([kmg]?)$/i,
    units: { "": 1, k: 1e3, m: 1e6, g: 1e9 },
    example: "tokens=2M",
  },
  usd: { key: "maxCostUsd", form: /^(\d+(?:\.\d+)?)()$/, units: { "": 1 }, example: "usd=5" },
  time: {
    key: "time",
    form: /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/i,
    units: { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5 },
    example: "time=1h",
  },
};

/** Reads a budget; nothing when none was given. */
export function parseBudget(text: string | undefined): GivenBudget {
  const budget: { -readonly [Key in keyof GivenBudget]: number } = {};
  for (const part of text?.split(",") ?? []) {
    const [name = "", amount = ""] = part.trim().split("=");
    const limit = Object.hasOwn(LIMITS, name) ? LIMITS[name] : undefined;
    const match = limit?.form.exec(amount.trim());
    if (!limit || !match) {
      const forms = Object.values(LIMITS).map(({ example }) => example);
      throw new Misuse(
        "usage",
        `--budget does not know ${part || "nothing"}. Write for example ${forms.join(",")}.`,
      );
    }
    budget[limit.key] = Number(match[1]) * (limit.units[match[2]?.toLowerCase() ?? ""] ?? 1);
  }
  return budget;
}
