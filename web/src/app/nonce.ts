/** The nonce by which a style sheet that the page writes shows that it is the page's own; none where it has no policy. */
export function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
}
