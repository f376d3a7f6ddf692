/** Where the page begins. */

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { applyTheme } from "./app/theme.ts";
import { StudioError } from "./model/baton.ts";
import "./style/tokens.css";
import "./style/base.css";

applyTheme();

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal stays one; a studio that is gone is asked again.
      retry: (count, error) => !(error instanceof StudioError && error.status < 500) && count < 3,
      refetchOnWindowFocus: false,
      staleTime: 2000,
    },
  },
});

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}
