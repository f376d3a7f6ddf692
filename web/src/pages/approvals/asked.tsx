/** What a question shows: the command, the diff, the text, and whatever else came along. */

import { isJsonObject, type Json } from "../../model/baton.ts";
import { JsonView } from "../../parts/json-view.tsx";
import { TextBlock } from "../../parts/text-block.tsx";
import styles from "./asked.module.css";

/** What is shown elsewhere on the card, or means nothing to a person. */
const KNOWN = new Set([
  "title",
  "args",
  "kind",
  "node",
  "label",
  "contract",
  "prompt",
  "item",
  "context",
  "rework",
  "problem",
]);

export function Asked({ value, heading }: { readonly value: Json; readonly heading: string }) {
  if (!isJsonObject(value)) {
    return typeof value === "string" ? null : <JsonView value={value} open={3} />;
  }
  const { args, prompt, item, context, rework, problem } = value;
  const rest = Object.entries(value).filter(([key, held]) => !KNOWN.has(key) && held !== null);
  return (
    <>
      {typeof problem === "string" && <p className={styles["problem"]}>{problem}</p>}
      {typeof item === "string" && (
        <p>
          <b>Item:</b> {item}
        </p>
      )}
      {typeof prompt === "string" && !heading.includes(prompt) && <TextBlock text={prompt} />}
      {args !== undefined && <Args args={args} />}
      {isJsonObject(context) && typeof context["text"] === "string" && (
        <section>
          <h3>{String(context["from"])} said</h3>
          <TextBlock text={context["text"]} />
        </section>
      )}
      {typeof rework === "string" && (
        <section>
          <h3>It came back because</h3>
          <TextBlock text={rework} />
        </section>
      )}
      {rest.length > 0 && <JsonView value={Object.fromEntries(rest)} open={2} />}
    </>
  );
}

/** Long texts among the arguments are shown as they stand: a command to the letter, a diff by lines. */
function Args({ args }: { readonly args: Json }) {
  if (typeof args === "string") return <Exact name="what" text={args} />;
  if (!isJsonObject(args)) return args === null ? null : <JsonView value={args} open={3} />;
  const texts = Object.entries(args).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const rest = Object.entries(args).filter(([, held]) => typeof held !== "string");
  return (
    <>
      {texts.map(([name, text]) => (
        <Exact key={name} name={name} text={text} />
      ))}
      {rest.length > 0 && <JsonView value={Object.fromEntries(rest)} open={3} />}
    </>
  );
}

function Exact({ name, text }: { readonly name: string; readonly text: string }) {
  const isDiff = name === "diff" || name === "patch" || /^(diff --git |@@ )/m.test(text);
  return (
    <figure className={styles["exact"]}>
      <figcaption>{name}</figcaption>
      {isDiff ? <TextBlock text={text} /> : <pre>{text}</pre>}
    </figure>
  );
}
