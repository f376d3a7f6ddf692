/** What can be done with a run as it stands; only what cannot be undone is asked about. */

import { GitCompare, GitFork, MessageSquare, Pause, Play, Square } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { RunDocument } from "../../model/baton.ts";
import type { Moment } from "../../model/moment.ts";
import { Button } from "../../parts/button.tsx";
import { Problem } from "../../parts/notice.tsx";
import styles from "./actions.module.css";
import { CancelDialog } from "./cancel-dialog.tsx";
import { CompareDialog } from "./compare-dialog.tsx";
import { ForkDialog } from "./fork-dialog.tsx";
import { ResumeDialog } from "./resume-dialog.tsx";
import { SendDialog } from "./send-dialog.tsx";
import { useVerb } from "./use-verb.ts";

interface ActionsProps {
  readonly run: string;
  readonly document: RunDocument | undefined;
  readonly moment: Moment;
  readonly node: string | undefined;
}

type Asking = "cancel" | "fork" | "compare" | "send" | "resume";

export function Actions({ run, document, moment, node }: ActionsProps) {
  const [asking, setAsking] = useState<Asking | undefined>(undefined);
  const command = useVerb(run);
  const close = () => setAsking(undefined);
  const can = abilities(document, moment);
  const ask = (what: Asking) => () => setAsking(what);
  const isBudget = document?.reason === "budget_exhausted";
  const resume = () => (isBudget ? setAsking("resume") : command.mutate({ verb: "resume" }));
  return (
    <div className={styles["actions"]}>
      {can.pause && (
        <Button icon={<Pause aria-hidden />} onClick={() => command.mutate({ verb: "pause" })}>
          Pause
        </Button>
      )}
      {can.resume && (
        <Button icon={<Play aria-hidden />} onClick={resume}>
          Resume
        </Button>
      )}
      {can.send && (
        <Button icon={<MessageSquare aria-hidden />} onClick={ask("send")}>
          Send
        </Button>
      )}
      {can.send && (
        <Link className={styles["edit"]} href={`/definitions/edit?${new URLSearchParams({ run })}`}>
          Edit the graph
        </Link>
      )}
      <Button icon={<GitFork aria-hidden />} onClick={ask("fork")}>
        Fork from here
      </Button>
      <Button icon={<GitCompare aria-hidden />} onClick={ask("compare")}>
        Compare
      </Button>
      {can.cancel && (
        <Button look="danger" icon={<Square aria-hidden />} onClick={ask("cancel")}>
          Cancel
        </Button>
      )}
      {command.error && <Problem error={command.error} />}
      {asking === "cancel" && <CancelDialog run={run} onClose={close} />}
      {asking === "fork" && <ForkDialog run={run} moment={moment} onClose={close} />}
      {asking === "compare" && <CompareDialog run={run} document={document} onClose={close} />}
      {asking === "send" && (
        <SendDialog run={run} nodes={[...moment.nodes.keys()]} node={node} onClose={close} />
      )}
      {asking === "resume" && document && <ResumeDialog run={run} document={document} onClose={close} />}
    </div>
  );
}

function abilities(document: RunDocument | undefined, { dialect, isLive }: Moment) {
  const status = isLive ? document?.status : undefined;
  const isOpen = status === "running" || status === "waiting" || status === "paused";
  const isLeft = status === "running" && document?.driver === null;
  return {
    pause: status === "running" && !isLeft,
    // What helps most stands in the banner, once.
    resume: status === "paused" && document?.waitsFor?.verb !== "resume",
    send: dialect === "inbox" && status !== undefined && status !== "cancelled",
    cancel: isOpen || status === "failed",
  };
}
