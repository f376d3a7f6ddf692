/** The graph of an inbox run that is under way: what is changed becomes one recorded command. */

import { useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useMemo } from "react";
import { Link } from "wouter";
import { runAddress } from "../../app/address.ts";
import { commandsBetween } from "../../editor/inbox/commands.ts";
import { InboxEditor } from "../../editor/inbox/inbox-editor.tsx";
import { parsed } from "../../editor/loadout/draft.ts";
import { openSession, useSession } from "../../editor/session/session.ts";
import { api } from "../../model/api.ts";
import {
  type InboxDefinition,
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
  return <Opened key={JSON.stringify(before)} run={run} before={before} />;
}

/** The nodes that were taken out of a run are no part of its graph. */
function definitionOf(definition: Json): InboxDefinition | undefined {
  if (!isJsonObject(definition) || !Object.hasOwn(definition, "nodes")) return undefined;
  const { removed: _, ...graph } = definition;
  const read = readInbox(graph);
  return read.ok ? read.definition : undefined;
}

function Opened({ run, before }: { readonly run: string; readonly before: InboxDefinition }) {
  const text = useMemo(() => `${JSON.stringify(before, null, 2)}\n`, [before]);
  const store = useMemo(() => openSession(`run:${run}:${text}`, text, "as it stands"), [run, text]);
  const editing = useSession(store);
  const command = useVerb(run);
  const read = useMemo(() => readAfter(editing.text), [editing.text]);
  const edits = read === undefined ? [] : commandsBetween(before, read);
  const record = () => command.mutate({ verb: "edit", edits: edits as unknown as readonly JsonObject[] }); // plain data
  return (
    <>
      {command.error && <Problem error={command.error} />}
      <InboxEditor
        path={`run ${run}`}
        name={before.name}
        editing={editing}
        finish={
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
        }
      />
    </>
  );
}

function readAfter(text: string): InboxDefinition | undefined {
  const json = parsed(text);
  const read = json === undefined ? undefined : readInbox(json);
  return read?.ok ? read.definition : undefined;
}
