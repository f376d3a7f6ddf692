/** Asks something of a run, and has everything read again that it may have changed. */

import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../model/api.ts";
import type { RunDocument, RunVerb } from "../../model/baton.ts";

export function useVerb(run: string): UseMutationResult<RunDocument, Error, RunVerb> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (verb: RunVerb) => api.command(run, verb),
    onSettled: () => {
      for (const queryKey of [["run", run], ["runs"], ["questions"]]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
}
