/** Two texts of one file: a person says which of them stays, or keeps both. */

import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextDiffView } from "../../parts/diff-view.tsx";
import type { Saving } from "./saving.tsx";

interface ConflictDialogProps {
  readonly theirs: string;
  readonly mine: string;
  readonly saving: Saving;
}

export function ConflictDialog({ theirs, mine, saving }: ConflictDialogProps) {
  return (
    <Dialog
      title="The file changed on disk"
      onClose={() => saving.ask(undefined)}
      footer={
        <>
          <Button onClick={() => saving.ask("path")}>Save as…</Button>
          <Button onClick={saving.takeTheirs}>Take theirs</Button>
          <Button look="primary" disabled={saving.isPending} onClick={saving.keepMine}>
            Keep mine
          </Button>
        </>
      }
    >
      <p>
        Somebody wrote the file since it was read here, so nothing was saved. Lines with a minus are theirs,
        lines with a plus are yours.
      </p>
      <TextDiffView left={theirs} right={mine} />
    </Dialog>
  );
}
