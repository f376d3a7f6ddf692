/**
 * The policy is what a browser may load and run in the page of the studio.
 *
 * 1. Scripts and styles are those of the page. The editor of JSON writes a style sheet into it, which shows that it is
 *    the page's own by the nonce of the response; no text can know that.
 * 2. A style attribute, which is all that a text could bring along, is refused. What the page lays out by itself it
 *    sets by script, which no policy is about.
 */

import { randomBytes } from "node:crypto";

/** What stands in the built page where the nonce of a response belongs. */
export const NONCE_PLACE = "BATON-NONCE";

/** How many random bytes are in a nonce. */
const NONCE = 18;

export function newNonce(): string {
  return randomBytes(NONCE).toString("base64url");
}

/** The policy of one response. */
export function policyFor(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'", // (1)
    `style-src 'self' 'nonce-${nonce}'`, // (1)
    "style-src-attr 'none'", // (2)
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
