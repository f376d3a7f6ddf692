/** How long a model thinks, in the words that APIs have in common. */

const LEVELS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

export type Thinking = (typeof LEVELS)[number];

/** Says whether a word is one of them. */
export function isThinking(word: string): word is Thinking {
  return (LEVELS as readonly string[]).includes(word);
}

/** The words, for a sentence. */
export const THINKING_LEVELS: string = LEVELS.join(", ");
