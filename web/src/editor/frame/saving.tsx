/**
 * Saving writes over what was read, and over nothing else.
 *
 * 1. A save names the digest of what was read; when the file has another one, both texts are shown and a person decides.
 * 2. A file that changed on disk while nothing was changed here is taken over as it is.
 * 3. A file that is gone is written again only when a person says so.
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
  /** Whether the file is there no longer (3). */
  readonly isGone: boolean;
  readonly writeAgain: () => void;
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
  const isGone = isFile && session.saved !== undefined && isNotFound(onDisk.error);
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
      const { isSuccess } = await onDisk.refetch();
      if (isSuccess) ask("conflict");
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
    ...{ save, takeTheirs, isPending: write.isPending, theirs: shown, asks, ask, isGone },
    error: asks === "conflict" || isGone ? null : write.error,
    writeAgain: () => mutate({ to: path, base: null }),
    saveAs: (to) => mutate({ to, base: null }),
    keepMine: () => mutate({ to: path, base: shown?.digest ?? null }),
  };
}

function isNotFound(error: Error | null): boolean {
  return error instanceof StudioError && error.error.code === "not_found";
}

interface SaveNoticesProps {
  readonly saving: Saving;
  readonly editing: Editing;
}

export function SaveNotices({ saving, editing }: SaveNoticesProps) {
  const { theirs, asks, ask, error, isGone, writeAgain } = saving;
  if (isGone) {
    return (
      <Banner tone="ask" action={<Button onClick={writeAgain}>Write it again</Button>}>
        The file is gone from disk, or is no definition any more. Nothing of yours was lost.
      </Banner>
    );
  }
  if (asks !== undefined) return null;
  return (
    <>
      {theirs !== undefined && editing.isDirty && (
        <Banner tone="ask" action={<Button onClick={() => ask("conflict")}>Compare</Button>}>
          The file changed on disk since it was read. Nothing of yours was lost.
        </Banner>
      )}
      {error && <Problem error={error} />}
    </>
  );
}

interface SaveDialogsProps {
  readonly saving: Saving;
  readonly editing: Editing;
  readonly path: string;
}

export function SaveDialogs({ saving, editing, path }: SaveDialogsProps) {
  const { theirs, asks } = saving;
  if (asks === "path") return <SaveAsDialog path={path} saving={saving} />;
  if (asks === undefined || theirs === undefined) return null;
  return <ConflictDialog theirs={theirs.text} mine={editing.text} saving={saving} />;
}
