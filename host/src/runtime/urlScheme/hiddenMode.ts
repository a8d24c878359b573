import { isStartUrl } from './startUrl.ts';

/** The application's control of its windows. */
export interface WindowShell {
  /** Comes into the dock, the application switcher and the menu bar, or stays out of them. */
  setHidden(hidden: boolean): void;
  /** Brings a window to the front, and opens one where there is none. */
  showWindow(): void;
}

/**
 * An application that was started by an address of our scheme has no window until somebody asks for one. Starting it by hand ends that for
 * the rest of the run.
 */
export class HiddenMode {
  readonly #shell: WindowShell;
  #hidden: boolean;
  #begun = false;
  #ensureMcp: () => Promise<void> = () => Promise.resolve();

  /** @param words - with which the program was started */
  constructor(words: readonly string[], shell: WindowShell) {
    this.#shell = shell;
    this.#hidden = words.some(isStartUrl);
  }

  get isHidden(): boolean {
    return this.#hidden;
  }

  /** The platform brings an address. An address before the application is ready is the one that started it: macOS reports it so. */
  opened(address: string): void {
    if (!isStartUrl(address)) return;
    if (this.#begun) void this.#ensureMcp();
    else this.#hidden = true;
  }

  /** It was started again, by an address or by hand. */
  startedAgain(words: readonly string[]): void {
    if (words.some(isStartUrl)) void this.#ensureMcp();
    else this.show();
  }

  /** Everything is ready: shows the window, or waits for somebody to ask for it. */
  begin(ensureMcp: () => Promise<void>): void {
    this.#begun = true;
    this.#ensureMcp = ensureMcp;
    if (this.#hidden) this.#shell.setHidden(true);
    else this.#shell.showWindow();
  }

  /** Somebody asks for the window. */
  show(): void {
    const wasHidden = this.#hidden;
    this.#hidden = false;
    if (!this.#begun) return;
    if (wasHidden) this.#shell.setHidden(false);
    this.#shell.showWindow();
  }
}
