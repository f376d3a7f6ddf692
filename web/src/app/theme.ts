/** Dark or light: what the machine says, until a person chooses. */

import { Store } from "../model/store.ts";

export type Theme = "system" | "light" | "dark";

const KEY = "baton.theme";

export const theme: Store<Theme> = new Store<Theme>(stored());

export function applyTheme(): void {
  const chosen = theme.get();
  if (chosen === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen;
}

export function chooseTheme(chosen: Theme): void {
  localStorage.setItem(KEY, chosen);
  theme.set(chosen);
  applyTheme();
}

function stored(): Theme {
  const value = localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : "system";
}
