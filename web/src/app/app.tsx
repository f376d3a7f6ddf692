/** The pages and their addresses; what the list of runs does not need is loaded when it is first shown. */

import { lazy, Suspense } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { RunsPage } from "../pages/runs/runs-page.tsx";
import { Empty } from "../parts/notice.tsx";
import { useFeed } from "./feed.ts";
import { Safety } from "./safety.tsx";
import { Shell } from "./shell.tsx";

const RunPage = lazy(async () => ({ default: (await import("../pages/run/run-page.tsx")).RunPage }));
const ApprovalsPage = lazy(async () => ({
  default: (await import("../pages/approvals/approvals-page.tsx")).ApprovalsPage,
}));
const ComparePage = lazy(async () => ({
  default: (await import("../pages/compare/compare-page.tsx")).ComparePage,
}));
const DefinitionsPage = lazy(async () => ({
  default: (await import("../pages/definitions/definitions-page.tsx")).DefinitionsPage,
}));
const EditPage = lazy(async () => ({
  default: (await import("../pages/definitions/edit-page.tsx")).EditPage,
}));

export function App() {
  useFeed();
  const [location] = useLocation();
  return (
    <Shell>
      <Safety key={location}>
        <Suspense fallback={<p className="visually-hidden">Loading…</p>}>
          <Switch>
            <Route path="/">
              <Redirect to="/runs" replace />
            </Route>
            <Route path="/runs" component={RunsPage} />
            <Route path="/runs/:run">{({ run }) => <RunPage key={run} run={run} />}</Route>
            <Route path="/approvals" component={ApprovalsPage} />
            <Route path="/compare" component={ComparePage} />
            <Route path="/definitions" component={DefinitionsPage} />
            <Route path="/definitions/edit" component={EditPage} />
            <Route>
              <Empty title="There is no such page">
                Runs, approvals and definitions are in the bar above.
              </Empty>
            </Route>
          </Switch>
        </Suspense>
      </Safety>
    </Shell>
  );
}
