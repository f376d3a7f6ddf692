/** Asks where a definition is to be saved. */

import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, TextInput } from "../../parts/field.tsx";
import { Problem } from "../../parts/notice.tsx";
import type { Saving } from "./saving.tsx";

export function SaveAsDialog({ path, saving }: { readonly path: string; readonly saving: Saving }) {
  const own = path.replace(/^.*:/, "").replace(/\.json$/, "");
  const [to, setTo] = useState(`${own || "loadout"}${path.includes(":") || path === "" ? "" : "-copy"}.json`);
  return (
    <Dialog
      title="Save as"
      onClose={() => saving.ask(undefined)}
      footer={
        <Button
          look="primary"
          disabled={!to.endsWith(".json") || saving.isPending}
          onClick={() => saving.saveAs(to)}
        >
          Save
        </Button>
      }
    >
      <Field
        label="Path"
        hint="Within the project; the name ends with .json. A file that is there is not written over."
      >
        <TextInput value={to} onChange={setTo} />
      </Field>
      {saving.error && <Problem error={saving.error} />}
    </Dialog>
  );
}
