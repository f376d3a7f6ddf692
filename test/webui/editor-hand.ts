/** A person at an editor: what they choose, type and press, by the names that they see. */

import type { Locator, Page } from "playwright-core";
import { Studio } from "./studio.ts";

export const editAddress = (path: string): string => `/definitions/edit?${new URLSearchParams({ path })}`;

/** A studio with these examples and files, and the editor of one of them with a hand at it. */
export async function openEditor(
  path: string,
  examples: readonly string[],
  files: Readonly<Record<string, unknown>> = {},
) {
  const studio = await Studio.open(examples, files);
  const shown = await studio.page(editAddress(path));
  return { studio, shown, page: shown.page, hand: new Hand(shown.page) };
}

export class Hand {
  readonly page: Page;
  readonly side: Locator;

  constructor(page: Page) {
    this.page = page;
    this.side = page.getByRole("complementary", { name: "What is chosen" });
  }

  async socket(id: string): Promise<void> {
    await this.page.locator(`[data-node="${id}"] > button`).click();
    await this.side.getByRole("heading", { name: id, exact: true }).waitFor();
  }

  async type(label: string, text: string): Promise<void> {
    const field = this.side.getByLabel(label, { exact: true });
    await field.fill(text);
    await field.blur();
  }

  async choose(label: string, value: string): Promise<void> {
    await this.side.getByLabel(label, { exact: true }).selectOption(value);
  }

  async press(name: string | RegExp): Promise<void> {
    await this.side.getByRole("button", { name, exact: true }).click();
  }

  async edge(from: string, when: string, to: string, most?: number): Promise<void> {
    await this.socket(from);
    await this.choose("New edge when", when);
    await this.choose("New edge to", to);
    await this.press("Add edge");
    if (most === undefined) return;
    await this.page
      .getByRole("button", {
        name: new RegExp(`^Edge from ${from} to ${to}: (\\d )?${when.replace("_", " ")}$`),
      })
      .click();
    await this.type("At most, per work item", String(most));
  }

  async materia(id: string, held: Readonly<Record<string, unknown>>): Promise<void> {
    await this.page.getByRole("button", { name: "New materia" }).click();
    const dialog = this.page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(id);
    if (held["type"] === "utility") {
      await dialog.getByLabel("Type").selectOption("utility");
      await dialog.getByLabel("Runs").selectOption(String(held["utility"]));
    } else {
      await dialog.getByLabel("Prompt").fill(String(held["prompt"]));
      await dialog.getByLabel("Tools").selectOption(String(held["tools"]));
    }
    if (held["generator"] === true) await dialog.getByLabel(/^Generator/).check();
    await dialog.getByRole("button", { name: "Add to the file" }).click();
    await this.side.getByRole("heading", { name: id, exact: true }).waitFor();
    for (const field of ["description", "group"]) {
      const text = held[field];
      if (typeof text === "string") await this.type(field === "group" ? "Group" : "Description", text);
    }
  }

  /** Drags what is on the canvas by so much. */
  async drag(what: Locator, by: { readonly x: number; readonly y: number }): Promise<void> {
    const box = await what.boundingBox();
    if (box === null) throw new Error("What is to be dragged is not shown.");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x + by.x, y + by.y, { steps: 6 });
    await this.page.mouse.up();
  }

  async save(): Promise<void> {
    await this.page.getByRole("button", { name: "Save", exact: true }).click();
  }

  async saved(): Promise<void> {
    await this.page.getByText("not saved").waitFor({ state: "detached" });
  }
}
