/** What waits for a person in any run: read once for the badge and for the approvals. */

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "../model/api.ts";
import type { QuestionDocument } from "../model/baton.ts";

export function useQuestions(): UseQueryResult<readonly QuestionDocument[]> {
  return useQuery({ queryKey: ["questions"], queryFn: async () => (await api.questions()).questions });
}

/** Puts the number of open questions in front of what the tab is called. */
export function useTitle(name: string): void {
  const count = useQuestions().data?.length ?? 0;
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ""}${name} · Baton`;
  }, [name, count]);
}
