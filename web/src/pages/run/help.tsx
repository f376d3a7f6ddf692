/** The one action that helps a run on, as a button. */

import { useState } from "react";
import type { RunDocument, RunVerb } from "../../model/baton.ts";
import { Button } from "../../parts/button.tsx";
import { Problem } from "../../parts/notice.tsx";
import { ResumeDialog } from "./resume-dialog.tsx";
import { SendDialog } from "./send-dialog.tsx";
import { useVerb } from "./use-verb.ts";

interface HelpProps {
  readonly run: string;
  readonly verb: RunVerb["verb"] | null;
  readonly document: RunDocument;
  /** Who should hear something new. */
  readonly node: string | undefined;
}

export function Help({ run, verb, document, node }: HelpProps) {
  const [isAsking, setAsking] = useState(false);
  const command = useVerb(run);
  if (command.error) return <Problem error={command.error} />;
  const close = () => setAsking(false);
  switch (verb) {
    case "resume":
      if (document.reason === "budget_exhausted") {
        return (
          <>
            <Button look="primary" size="s" onClick={() => setAsking(true)}>
              Raise the budget
            </Button>
            {isAsking && <ResumeDialog run={run} document={document} onClose={close} />}
          </>
        );
      }
      return (
        <Button look="primary" size="s" disabled={command.isPending} onClick={() => command.mutate({ verb })}>
          {document.status === "failed" ? "Try again" : "Resume"}
        </Button>
      );
    case "retry":
      return (
        <Button look="primary" size="s" disabled={command.isPending} onClick={() => command.mutate({ verb })}>
          Try again
        </Button>
      );
    case "send":
      return (
        <>
          <Button look="primary" size="s" onClick={() => setAsking(true)}>
            Send a message
          </Button>
          {isAsking && (
            <SendDialog run={run} nodes={Object.keys(document.result.nodes)} node={node} onClose={close} />
          )}
        </>
      );
    default:
      return null;
  }
}
