/** One definition, in the editor of its kind. */

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "wouter";
import { useAddress } from "../../app/address.ts";
import { useTitle } from "../../app/questions.ts";
import { PlainEditor } from "../../editor/frame/plain-editor.tsx";
import { InboxEditor } from "../../editor/inbox/inbox-editor.tsx";
import { LoadoutEditor } from "../../editor/loadout/loadout-editor.tsx";
import { openSession, useSession } from "../../editor/session/session.ts";
import { api } from "../../model/api.ts";
import type { DefinitionKind } from "../../model/baton.ts";
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
  if (fresh === "loadout" || fresh === "inbox") {
    return <Opened key={path} path={path} kind={fresh} text={TEMPLATES[fresh](path)} digest={null} />;
  }
  return <Existing key={path} path={path} />;
}

function Existing({ path }: { readonly path: string }) {
  const { data, error } = useQuery({ queryKey: ["definition", path], queryFn: () => api.definition(path) });
  if (data?.kind === "module") return <ModulePage document={data} />;
  if (data) {
    const digest = data.isBundled ? null : data.digest;
    return <Opened path={path} kind={data.kind} text={data.text} digest={digest} />;
  }
  return error ? <Problem error={error} /> : <p className="visually-hidden">Loading…</p>;
}

interface OpenedProps {
  readonly path: string;
  readonly kind: DefinitionKind;
  readonly text: string;
  /** None for a file that is not there yet. */
  readonly digest: string | null;
}

function Opened({ path, kind, text, digest }: OpenedProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is open stays open when the file is read again
  const store = useMemo(() => openSession(path, text, digest), [path]);
  const editing = useSession(store);
  switch (kind) {
    case "loadout":
      return <LoadoutEditor path={path} editing={editing} />;
    case "inbox":
      return <InboxEditor path={path} editing={editing} />;
    default:
      return <PlainEditor path={path} kind={kind} editing={editing} />;
  }
}
