/**
 * Saving writes over what was read, and over nothing else.
 *
 * 1. A save names the digest of what was read; when the file has another one, both texts are shown and a person decides.
 * 2. A file that changed on disk while nothing was changed here is taken over as it is.
 */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { api } from "../../model/api.ts";
import { type DefinitionDocument, StudioError } from "../../model/baton.ts";
import { Button } from "../../parts/button.tsx";
import { Banner, Problem } from "../../parts/notice.tsx";
import { type Editing, moveSession } from "../session/session.ts";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { SaveAsDialog } from "./save-as-dialog.tsx";

/** In milliseconds: how often the file is looked at. */
const LOOK = 3000;

export interface Saving {
  readonly save: () => void;
  readonly saveAs: (path: string) => void;
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
  readonly isPending: boolean;
  readonly error: Error | null;
  /** What stands on disk, where that is not what was read. */
  readonly theirs: DefinitionDocument | undefined;
  readonly asks: "path" | "conflict" | undefined;
  readonly ask: (what: "path" | "conflict" | undefined) => void;
}

export function canSaveAt(path: string): boolean {
  return path !== "" && !path.includes(":");
}

export function useSaving(path: string, editing: Editing): Saving {
  const [asks, ask] = useState<Saving["asks"]>(undefined);
  const client = useQueryClient();
  const [, go] = useLocation();
  const { session, text, isDirty, reset } = editing;
  const isFile = canSaveAt(path);
  const onDisk = useQuery({
    queryKey: ["definition", path],
    queryFn: () => api.definition(path),
    enabled: isFile && session.saved !== undefined,
    refetchInterval: LOOK,
    retry: false,
  });
  const theirs = onDisk.data && onDisk.data.digest !== session.saved?.digest ? onDisk.data : undefined;
  const write = useMutation({
    mutationFn: ({ to, base }: { to: string; base: string | null }) => api.save(to, { text, base }),
    onSuccess: (document, { to }) => {
      client.setQueryData(["definition", to], document);
      void client.invalidateQueries({ queryKey: ["definitions"] });
      reset(document, false);
      ask(undefined);
      moveSession(path, to);
      go(`/definitions/edit?${new URLSearchParams({ path: to })}`, { replace: to === path });
    },
    onError: async (error, { to }) => {
      if (!(error instanceof StudioError) || error.error.code !== "conflict" || to !== path) return;
      await client.refetchQueries({ queryKey: ["definition", path] });
      ask("conflict");
    },
  });
  const { mutate } = write;
  const base = session.saved?.digest ?? null;
  const save = useCallback(() => {
    if (!isFile) ask("path");
    else if (isDirty) mutate({ to: path, base });
  }, [isFile, isDirty, mutate, path, base]);
  const shown = theirs ?? (asks === "conflict" ? onDisk.data : undefined);
  const takeTheirs = useCallback(() => {
    if (shown) reset(shown, true);
    ask(undefined);
  }, [shown, reset]);
  useEffect(() => {
    if (theirs !== undefined && !isDirty && !write.isPending) reset(theirs, true); // (2)
  }, [theirs, isDirty, write.isPending, reset]);
  return {
    ...{ save, takeTheirs, isPending: write.isPending, theirs: shown, asks, ask },
    error: asks === "conflict" ? null : write.error,
    saveAs: (to) => mutate({ to, base: null }),
    keepMine: () => mutate({ to: path, base: shown?.digest ?? null }),
  };
}

interface SaveNoticesProps {
  readonly saving: Saving;
  readonly editing: Editing;
  readonly path: string;
}

export function SaveNotices({ saving, editing, path }: SaveNoticesProps) {
  const { theirs, asks, ask, error } = saving;
  const isConflict = theirs !== undefined && editing.isDirty;
  return (
    <>
      {isConflict && asks === undefined && (
        <Banner tone="ask" action={<Button onClick={() => ask("conflict")}>Compare</Button>}>
          The file changed on disk since it was read. Nothing of yours was lost.
        </Banner>
      )}
      {error && asks === undefined && <Problem error={error} />}
      {asks === "conflict" && theirs && (
        <ConflictDialog theirs={theirs.text} mine={editing.text} saving={saving} />
      )}
      {asks === "path" && <SaveAsDialog path={path} saving={saving} />}
    </>
  );
}
