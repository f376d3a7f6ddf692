/** The graph of an inbox run that is under way: what is changed becomes one recorded command. */

import { useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { Link } from "wouter";
import { runAddress } from "../../app/address.ts";
import { commandsBetween } from "../../editor/inbox/commands.ts";
import { InboxEditor } from "../../editor/inbox/inbox-editor.tsx";
import { openSession, useSession } from "../../editor/session/session.ts";
import { parsed } from "../../editor/text/held.ts";
import { api } from "../../model/api.ts";
import {
  type InboxDefinition,
  type InboxEdit,
  isJsonObject,
  type Json,
  type JsonObject,
  readInbox,
} from "../../model/baton.ts";
import { Button } from "../../parts/button.tsx";
import { Empty, Problem } from "../../parts/notice.tsx";
import { useVerb } from "../run/use-verb.ts";

export function RunGraphPage({ run }: { readonly run: string }) {
  const { data, error } = useQuery({ queryKey: ["run", run], queryFn: () => api.run(run) });
  if (error) return <Problem error={error} />;
  if (data === undefined) return <p className="visually-hidden">Loading…</p>;
  const before = definitionOf(data.definition);
  if (before === undefined) {
    return (
      <Empty title="This graph does not change" action={<Link href={runAddress(run)}>Back to the run</Link>}>
        Only the graph of an inbox run is changed while it is under way.
      </Empty>
    );
  }
  return <Opened key={run} run={run} now={before} />;
}

/** The nodes that were taken out of a run are no part of its graph. */
function definitionOf(definition: Json): InboxDefinition | undefined {
  if (!isJsonObject(definition) || !Object.hasOwn(definition, "nodes")) return undefined;
  const { removed: _, ...graph } = definition;
  const read = readInbox(graph);
  return read.ok ? read.definition : undefined;
}

interface OpenedProps {
  readonly run: string;
  /** The graph as it stands in the run. */
  readonly now: InboxDefinition;
}

/**
 * What is recorded is what was changed here since the graph was read. When it is changed elsewhere meanwhile, that is
 * taken over where nothing was changed here; otherwise the changes of here go on top of it.
 */
function Opened({ run, now }: OpenedProps) {
  const text = useMemo(() => printed(now), [now]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is open stays open when the graph is read again
  const store = useMemo(() => openSession(`run:${run}`, { kind: "inbox", text, digest: "" }), [run]);
  const editing = useSession(store);
  const { reset, isDirty, session } = editing;
  const base = session.saved?.text ?? text;
  const command = useVerb(run);
  const edits = useMemo(() => changesFrom(base, editing.text), [base, editing.text]);
  const seen = useRef(base);
  useEffect(() => {
    if (text === seen.current || isDirty) return;
    seen.current = text;
    reset({ text, digest: "" }, true);
  }, [text, isDirty, reset]);
  const record = () => {
    const recorded = { text: editing.text, digest: "" };
    const verb = { verb: "edit", edits: edits as unknown as readonly JsonObject[] } as const; // plain data
    command.mutate(verb, { onSuccess: () => reset(recorded, false) });
  };
  return (
    <InboxEditor
      path={`run ${run}`}
      name={now.name}
      editing={editing}
      finish={{
        problem: command.error,
        note:
          isDirty && text !== base
            ? "The graph of the run was changed elsewhere meanwhile. What you record goes on top of that."
            : undefined,
        actions: (
          <>
            <Link href={runAddress(run)}>Back to the run</Link>
            <Button
              look="primary"
              icon={<Send aria-hidden />}
              disabled={edits.length === 0 || command.isPending}
              onClick={record}
            >
              Record {edits.length === 1 ? "1 change" : `${edits.length} changes`}
            </Button>
          </>
        ),
      }}
    />
  );
}

function printed(definition: InboxDefinition): string {
  return `${JSON.stringify(definition, null, 2)}\n`;
}

function changesFrom(before: string, after: string): readonly InboxEdit[] {
  const [from, to] = [readAt(before), readAt(after)];
  return from && to ? commandsBetween(from, to) : [];
}

function readAt(text: string): InboxDefinition | undefined {
  const json = parsed(text);
  const read = json === undefined ? undefined : readInbox(json);
  return read?.ok ? read.definition : undefined;
}
