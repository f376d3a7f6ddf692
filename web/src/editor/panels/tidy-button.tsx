/** Lets everything be laid out again. */

import { LayoutGrid } from "lucide-react";
import { Button } from "../../parts/button.tsx";

interface TidyButtonProps {
  readonly disabled: boolean;
  readonly onTidy: () => void;
}

export function TidyButton({ disabled, onTidy }: TidyButtonProps) {
  return (
    <Button
      size="s"
      icon={<LayoutGrid aria-hidden />}
      disabled={disabled}
      title="Lay everything out again"
      onClick={onTidy}
    >
      Tidy up
    </Button>
  );
}
