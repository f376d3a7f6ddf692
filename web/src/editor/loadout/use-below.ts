/** The configs of the project that lie below a file and bring materia along. */

import { useQuery } from "@tanstack/react-query";
import { api } from "../../model/api.ts";
import type { Json } from "../../model/baton.ts";
import { parsed } from "../text/held.ts";

const NONE: readonly Json[] = [];

/** Materia configs of the project's own `.baton` folder; the studio's check knows those of the person too. */
export function useBelow(path: string): readonly Json[] {
  const { data = NONE } = useQuery({
    queryKey: ["definitions", "below", path],
    staleTime: 60_000,
    queryFn: async () => {
      const { definitions } = await api.definitions();
      const layers = definitions.filter(
        (one) => one.path.startsWith(".baton/") && one.path !== path && !one.isBundled,
      );
      const texts = await Promise.all(layers.map(async (one) => (await api.definition(one.path)).text));
      return texts.flatMap((text) => parsed(text) ?? []);
    },
  });
  return data;
}
