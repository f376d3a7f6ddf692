/** One definition, in the editor of its kind. */

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link } from "wouter";
import { useAddress } from "../../app/address.ts";
import { useTitle } from "../../app/questions.ts";
import { DefinitionFrame } from "../../editor/frame/definition-frame.tsx";
import { InboxEditor } from "../../editor/inbox/inbox-editor.tsx";
import { LoadoutEditor } from "../../editor/loadout/loadout-editor.tsx";
import {
  type Opening,
  openSession,
  type Session,
  unsavedAt,
  useSession,
} from "../../editor/session/session.ts";
import { api } from "../../model/api.ts";
import { Empty, Problem } from "../../parts/notice.tsx";
import { ModulePage } from "./module-page.tsx";
import { RunGraphPage } from "./run-graph-page.tsx";
import { TEMPLATES } from "./templates.ts";

export function EditPage() {
  const [search] = useAddress();
  const run = search.get("run");
  const path = search.get("path") ?? "";
  const fresh = search.get("new");
  useTitle(path || run || "Definition");
  if (run !== null) return <RunGraphPage key={run} run={run} />;
  if (path === "") {
    return <Empty title="Choose a definition" action={<Link href="/definitions">All definitions</Link>} />;
  }
  return <Definition key={path} path={path} fresh={fresh} />;
}

interface DefinitionProps {
  readonly path: string;
  /** What is to be made, when there is nothing yet. */
  readonly fresh: string | null;
}

/** What it begins with is settled once: saving it does not begin it anew. */
function Definition({ path, fresh }: DefinitionProps) {
  const [opening] = useState((): Opening | undefined => {
    const unsaved = unsavedAt(path);
    if (unsaved !== undefined) return again(unsaved);
    if (fresh !== "loadout" && fresh !== "inbox") return undefined;
    return { kind: fresh, text: TEMPLATES[fresh](path), digest: null };
  });
  return opening ? <Opened path={path} opening={opening} /> : <Existing path={path} />;
}

function again({ kind, history, saved }: Session): Opening {
  return { kind, text: history.now.text, digest: saved?.digest ?? null };
}

function Existing({ path }: { readonly path: string }) {
  const { data, error } = useQuery({ queryKey: ["definition", path], queryFn: () => api.definition(path) });
  if (data?.kind === "module") return <ModulePage document={data} />;
  if (data) return <Opened path={path} opening={{ ...data, digest: data.isBundled ? null : data.digest }} />;
  if (error === null) return <p className="visually-hidden">Loading…</p>;
  return (
    <>
      <Problem error={error} />
      <Empty
        title="This definition cannot be opened"
        action={<Link href="/definitions">All definitions</Link>}
      >
        It may have been moved, or never saved.
      </Empty>
    </>
  );
}

interface OpenedProps {
  readonly path: string;
  readonly opening: Opening;
}

function Opened({ path, opening }: OpenedProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is open stays open when the file is read again
  const store = useMemo(() => openSession(path, opening), [path]);
  const editing = useSession(store);
  switch (editing.session.kind) {
    case "loadout":
      return <LoadoutEditor path={path} editing={editing} />;
    case "inbox":
      return <InboxEditor path={path} editing={editing} />;
    default:
      return (
        <DefinitionFrame
          {...{ path, editing, kind: editing.session.kind, name: path.split("/").at(-1) ?? path }}
          blank="This file brings materia along; the loadouts that use them are drawn."
        />
      );
  }
}
