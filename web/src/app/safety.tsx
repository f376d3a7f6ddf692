/** Where a page throws, the bar stays and somebody can load it again: the studio may have been renewed meanwhile. */

import { Component, type ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/notice.tsx";

interface SafetyProps {
  readonly children: ReactNode;
}

export class Safety extends Component<SafetyProps, { readonly thrown: unknown }> {
  override state: { readonly thrown: unknown } = { thrown: undefined };

  static getDerivedStateFromError(thrown: unknown): { readonly thrown: unknown } {
    return { thrown };
  }

  override render(): ReactNode {
    const { thrown } = this.state;
    if (thrown === undefined) return this.props.children;
    return (
      <Empty
        title="This page could not be shown"
        action={<Button onClick={() => location.reload()}>Load it again</Button>}
      >
        {thrown instanceof Error ? thrown.message : String(thrown)}
      </Empty>
    );
  }
}
