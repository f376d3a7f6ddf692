/**
 * Markdown that somebody else wrote.
 *
 * 1. What is not on the list of elements and attributes is removed; scripts, frames, forms and styles are not on it.
 * 2. Nothing is loaded: pictures are removed. A link only ever leads to http, https or mail, in another tab.
 */

import DOMPurify from "dompurify";
import { marked } from "marked";
import { useMemo } from "react";
import styles from "./markdown.module.css";

const TAGS = [
  ...["p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "strong", "em", "del", "code", "pre"],
  ...["blockquote", "ul", "ol", "li", "a", "table", "thead", "tbody", "tr", "th", "td"],
];

const purify = DOMPurify();
purify.addHook("afterSanitizeAttributes", (element) => {
  if (element.tagName !== "A") return;
  element.setAttribute("target", "_blank");
  element.setAttribute("rel", "noopener noreferrer nofollow");
});

export function Markdown({ text }: { readonly text: string }) {
  const html = useMemo(() => render(text), [text]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: it went through DOMPurify (1)
  return <div className={styles["markdown"]} dangerouslySetInnerHTML={{ __html: html }} />;
}

function render(text: string): string {
  return purify.sanitize(marked.parse(text, { async: false, gfm: true, breaks: true }), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href"],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}
