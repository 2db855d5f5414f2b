// xterm as this page uses it.
import { FitAddon } from "@xterm/addon-fit";
import { type ITheme, Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { styleSpansStrictly, withStrictStyles } from "./strict-styles";

const FONT_SIZE = 12.5;
const SCROLLBACK_LINES = 5_000;
/** Programs choose colours for dark screens; this makes them legible on both. */
const LEAST_CONTRAST = 4.5;
const RESIZE_PAUSE_MILLIS = 80;

styleSpansStrictly();

export interface ScreenEvents {
  typed(text: string): void;
  resized(): void;
  /** Shift and Escape: the keyboard wants to go elsewhere. */
  leave(): void;
}

export class Screen {
  private readonly terminal: Terminal;
  private readonly fitting = new FitAddon();
  private readonly sizes: ResizeObserver;
  private readonly themes: MutationObserver;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** How much of what was printed earlier is still to be drawn; what xterm would answer to it was answered before. */
  private replaying = 0;

  constructor(
    private readonly host: HTMLElement,
    events: ScreenEvents,
  ) {
    this.terminal = new Terminal({
      fontFamily: getComputedStyle(host).fontFamily,
      fontSize: FONT_SIZE,
      lineHeight: 1.25,
      scrollback: SCROLLBACK_LINES,
      minimumContrastRatio: LEAST_CONTRAST,
      cursorBlink: false,
      // On many keyboards @ [ ] { } | \ ~ are typed with it.
      macOptionIsMeta: false,
      theme: themeOf(host),
    });
    this.terminal.loadAddon(this.fitting);
    withStrictStyles(document, () => this.terminal.open(host));
    this.terminal.attachCustomKeyEventHandler((event) => this.key(event, events));
    this.terminal.onData((text) => {
      if (this.replaying === 0) events.typed(text);
    });
    this.terminal.onResize(() => events.resized());
    this.fit();
    this.sizes = new ResizeObserver(() => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.fit(), RESIZE_PAUSE_MILLIS);
    });
    this.sizes.observe(host);
    this.themes = new MutationObserver(() => {
      this.terminal.options.theme = themeOf(host);
    });
    this.themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  }

  write(text: string, earlier: boolean, shown: () => void): void {
    if (earlier) this.replaying += 1;
    this.terminal.write(text, () => {
      if (earlier) this.replaying -= 1;
      shown();
    });
  }

  reset(): void {
    this.terminal.reset();
  }

  size(): { columns: number; rows: number } {
    return { columns: this.terminal.cols, rows: this.terminal.rows };
  }

  focus(): void {
    this.terminal.focus();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.sizes.disconnect();
    this.themes.disconnect();
    this.terminal.dispose();
  }

  /** A hidden tab has no size; the terminal keeps the one that it had. */
  private fit(): void {
    if (this.host.clientWidth > 0 && this.host.clientHeight > 0) this.fitting.fit();
  }

  /** Whether xterm is to take the key. */
  private key(event: KeyboardEvent, events: ScreenEvents): boolean {
    if (event.type !== "keydown") return true;
    if (event.key === "Escape" && event.shiftKey) {
      event.preventDefault();
      events.leave();
      return false;
    }
    const control = event.ctrlKey && !event.altKey && !event.metaKey;
    const key = event.key.toLowerCase();
    // With something selected Ctrl+C copies, as elsewhere; the browser does it, and asks xterm for the text.
    if (control && key === "c" && !event.shiftKey && this.terminal.hasSelection()) {
      setTimeout(() => this.terminal.clearSelection());
      return false;
    }
    return !(control && key === "v");
  }
}

function themeOf(host: HTMLElement): ITheme {
  const style = getComputedStyle(host);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    background: colour("ground"),
    foreground: colour("ink"),
    cursor: colour("accent"),
    cursorAccent: colour("ground"),
    selectionBackground: colour("line-strong"),
    scrollbarSliderBackground: colour("line"),
    scrollbarSliderHoverBackground: colour("line-strong"),
    scrollbarSliderActiveBackground: colour("line-strong"),
  };
}
