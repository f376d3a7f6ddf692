/** The policy of the page: its own style sheets are taken, and nobody else's, and nothing of it asks for more. */

import { describe, expect, test } from "vitest";
import { CHROMIUM, Studio } from "./studio.ts";

describe.skipIf(CHROMIUM === undefined)("the policy of the page", () => {
  test("lets the editor of JSON style itself, and no one else", { timeout: 120_000 }, async () => {
    const studio = await Studio.open(["graph-semantics-loadout.json"]);
    const shown = await studio.page("/definitions/edit?path=graph-semantics-loadout.json");
    await shown.page.getByRole("tab", { name: "JSON" }).click();
    await shown.page.getByRole("textbox", { name: "JSON of the definition" }).waitFor();
    expect(await shown.read<string>("getComputedStyle(document.querySelector('.cm-scroller')).display")).toBe(
      "flex",
    );
    expect(shown.faults).toEqual([]);

    const write = (tag: string, name: string) => `{
      const made = document.createElement(${JSON.stringify(tag)});
      made.textContent = ${JSON.stringify(name)};
      document.head.append(made);
    }`;
    await shown.read(write("style", "body { letter-spacing: 7px }"));
    await shown.read(write("script", "window.wasRun = true"));
    await shown.read(
      "document.body.insertAdjacentHTML('beforeend', '<p id=made style=\"opacity: 0.25\">…</p>')",
    );
    expect(await shown.read("getComputedStyle(document.body).letterSpacing")).toBe("normal");
    expect(await shown.read("window.wasRun")).toBeUndefined();
    expect(await shown.read("getComputedStyle(document.getElementById('made')).opacity")).toBe("1");
    expect(shown.faults).toHaveLength(3);
  });
});
