/** What an agent may use: nothing, reading, everything, or tools by their names. */

import { isJsonObject, type Json } from "../../model/baton.ts";
import { textsAt } from "../text/held.ts";
import { Choice, Typed } from "./typed.tsx";

interface ToolsFormProps {
  readonly tools: Json | undefined;
  readonly onChange: (tools: Json | undefined) => string | undefined;
}

export function ToolsForm({ tools, onChange }: ToolsFormProps) {
  const isCustom = isJsonObject(tools);
  return (
    <>
      <Choice
        label="Tools"
        value={isCustom ? "custom" : typeof tools === "string" ? tools : ""}
        options={[
          ...(tools === undefined ? [{ value: "", text: "the usual ones" }] : []),
          "none",
          "readOnly",
          "coding",
          { value: "custom", text: "by name" },
        ]}
        onChoose={(chosen) => onChange(chosen === "custom" ? { type: "custom", tools: ["read"] } : chosen)}
      />
      {isCustom && (
        <Typed
          label="Names of the tools"
          rows={3}
          hint="One a line."
          value={textsAt(tools, "tools").join("\n")}
          onType={(text) => onChange({ type: "custom", tools: text.split("\n") })}
        />
      )}
    </>
  );
}
