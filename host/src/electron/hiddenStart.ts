import { app, BrowserWindow } from 'electron';
import { isStartUrl, URL_SCHEME } from '../runtime/integrations/urlScheme/startUrl.ts';

/**
 * An application that was started by an address of our scheme has no window until somebody asks for one: it stays out of the dock, the
 * application switcher and the menu bar. Starting it by hand ends that for the rest of the run.
 *
 * To be made before the application is ready: macOS tells of the address at once.
 */
export class HiddenStart {
  readonly #openWindow: () => void;
  #hidden: boolean;
  #begun = false;
  #ensureMcp: () => Promise<void> = () => Promise.resolve();

  constructor(openWindow: () => void) {
    this.#openWindow = openWindow;
    this.#hidden = process.argv.some(isStartUrl);
    app.setAsDefaultProtocolClient(URL_SCHEME);
    app.on('open-url', (event, url) => {
      event.preventDefault();
      if (!isStartUrl(url)) return;
      // An address that comes before the application is ready is what started it.
      if (!this.#begun) this.#hidden = true;
      else void this.#ensureMcp();
    });
    app.on('second-instance', (_event, words) => {
      if (words.some(isStartUrl)) void this.#ensureMcp();
      else this.#show();
    });
    app.on('activate', () => this.#show());
  }

  /** Shows the window, or waits for somebody to ask for it. */
  begin(ensureMcp: () => Promise<void>): void {
    this.#begun = true;
    this.#ensureMcp = ensureMcp;
    if (this.#hidden) {
      if (process.platform === 'darwin') app.setActivationPolicy('accessory');
    } else {
      this.#show();
    }
  }

  #show(): void {
    if (!this.#begun) {
      this.#hidden = false;
      return;
    }
    if (this.#hidden && process.platform === 'darwin') app.setActivationPolicy('regular');
    this.#hidden = false;
    const [window] = BrowserWindow.getAllWindows();
    if (window === undefined) {
      this.#openWindow();
      return;
    }
    if (window.isMinimized()) window.restore();
    window.focus();
  }
}
