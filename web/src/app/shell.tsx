/** What stands around every page: the bar with the project and the way to everything, and what is wrong with the connection. */

import { useQuery } from "@tanstack/react-query";
import { Check, Info, type LucideIcon, Moon, Play, Sun, SunMoon, Workflow } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Link, useLocation } from "wouter";
import { api, connection } from "../model/api.ts";
import { useStore } from "../model/store.ts";
import { Button } from "../parts/button.tsx";
import { cx } from "../parts/cx.ts";
import { Banner } from "../parts/notice.tsx";
import { useQuestions } from "./questions.ts";
import styles from "./shell.module.css";
import { chooseTheme, type Theme, theme } from "./theme.ts";

const About = lazy(async () => ({ default: (await import("./about.tsx")).About }));

const PLACES: readonly { readonly to: string; readonly name: string; readonly icon: LucideIcon }[] = [
  { to: "/runs", name: "Runs", icon: Play },
  { to: "/approvals", name: "Approvals", icon: Check },
  { to: "/definitions", name: "Definitions", icon: Workflow },
];

export function Shell({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles["shell"]}>
      <a className={styles["skip"]} href="#main">
        Skip to the content
      </a>
      <header className={styles["bar"]}>
        <Project />
        <Places />
        <AboutButton />
        <ThemeSwitch />
      </header>
      <main id="main" className={styles["main"]} tabIndex={-1}>
        <ConnectionBanner />
        {children}
      </main>
    </div>
  );
}

function Project() {
  const { data } = useQuery({ queryKey: ["project"], queryFn: api.project, staleTime: 60_000 });
  return (
    <Link
      href="/runs"
      className={styles["project"]}
      title={data?.folder}
      aria-label={`Baton, project ${data?.name ?? ""}`}
    >
      <svg viewBox="0 0 32 32" aria-hidden className={styles["mark"]}>
        <path d="M7 25 25 7" />
        <path d="m13.5 18.5 5-5" />
      </svg>
      <span className={styles["name"]}>{data?.name ?? "Baton"}</span>
    </Link>
  );
}

function Places() {
  const [location] = useLocation();
  const count = useQuestions().data?.length ?? 0;
  return (
    <nav className={styles["places"]} aria-label="Pages">
      {PLACES.map(({ to, name, icon: Icon }) => {
        const isHere = location === to || location.startsWith(`${to}/`);
        return (
          <Link key={to} href={to} aria-current={isHere ? "page" : undefined} className={cx(styles["place"])}>
            <Icon aria-hidden />
            <span>{name}</span>
            {to === "/approvals" && count > 0 && (
              <span className={styles["badge"]}>
                {count}
                <span className="visually-hidden"> open</span>
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}

const NEXT: Readonly<Record<Theme, { readonly next: Theme; readonly icon: LucideIcon }>> = {
  system: { next: "dark", icon: SunMoon },
  dark: { next: "light", icon: Moon },
  light: { next: "system", icon: Sun },
};

function ThemeSwitch() {
  const chosen = useStore(theme);
  const { next, icon: Icon } = NEXT[chosen];
  const label = `Colours: ${chosen}. Change to ${next}.`;
  return <Button look="quiet" label={label} icon={<Icon aria-hidden />} onClick={() => chooseTheme(next)} />;
}

function AboutButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" label="About" icon={<Info aria-hidden />} onClick={() => setOpen(true)} />
      {isOpen && (
        <Suspense>
          <About onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function ConnectionBanner() {
  const state = useStore(connection);
  if (state === "lost") {
    return (
      <div className={styles["banner"]}>
        <Banner tone="bad">
          The studio does not answer. Runs that it drove go on when it is started again:{" "}
          <code>baton studio</code>. This page connects by itself.
        </Banner>
      </div>
    );
  }
  if (state !== "refused") return null;
  return (
    <div className={styles["banner"]}>
      <Banner tone="bad">
        The studio does not know this page. Open the address that <code>baton studio</code> printed when it
        was started last: it carries the token.
      </Banner>
    </div>
  );
}
