import { Component, type ReactNode } from "react";
import { messageOf } from "../api/http";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";

interface ErrorBoundaryProps {
  children: ReactNode;
  /** What takes the place of the children, around the notice. */
  around?(notice: ReactNode): ReactNode;
}

/** Keeps what breaks inside from taking the page with it; most of all a part that cannot be loaded any more. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  render() {
    const { children, around = inPlace } = this.props;
    return this.state.error === undefined ? children : around(<Broken error={this.state.error} />);
  }
}

function inPlace(notice: ReactNode): ReactNode {
  return <div className="min-w-0 flex-1 p-4">{notice}</div>;
}

/** Says that something cannot be shown, and that loading the page again may help. */
export function Broken({ error }: { error: unknown }) {
  return (
    <Notice tone="bad" action={<Reload />}>
      This cannot be shown. Gadget may have been updated since the page was loaded. Unsent prompts and unsaved
      files are kept.
      <span className="mt-1 block font-mono text-2xs">{messageOf(error)}</span>
    </Notice>
  );
}

export function Reload() {
  return (
    <Button size="small" onClick={() => window.location.reload()}>
      Reload
    </Button>
  );
}
