import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';

// The replacement in tests for `import … from 'electron'` (an alias in vitest.config.ts): the binary is not needed, and what a real window would be
// asked is written down. The types hold it to Electron's own.

/** Any listener: Electron's overloads define its arguments. */
type Listener = (...args: never[]) => void;
type InvokeHandler = (event: Electron.IpcMainInvokeEvent, ...args: unknown[]) => unknown;

/** For methods that return the object they are called on: they aren't chained here. */
const notChained = undefined as never;

/** All calls to Electron, and the test's answers to them. */
export interface ElectronRecord {
  hasLock: boolean;
  readonly calls: [what: string, ...args: unknown[]][];
  readonly windows: BrowserWindow[];
  /** The menus of the application, as they were set last. */
  readonly menus: Electron.MenuItemConstructorOptions[];
  readonly handlers: Map<string, (request: Request) => Response | Promise<Response>>;
  /** Filled when the preload script is loaded, and kept: a module runs once. */
  readonly exposed: Map<string, unknown>;
  chosenFile: string | undefined;
  /** The button that a person presses in a message box. */
  pressedButton: number;
  /** Whether the system has a program for web pages. */
  hasBrowser: boolean;
  /** The frame that `ipcRenderer.invoke` seems to come from. */
  senderFrame: { url: string; parent: object | null } | null;
  /** The window whose page `ipcRenderer.invoke` seems to come from, by its place. */
  senderWindow: number;
}

export const record: ElectronRecord = {
  hasLock: true,
  calls: [],
  windows: [],
  menus: [],
  handlers: new Map(),
  exposed: new Map(),
  chosenFile: undefined,
  pressedButton: 0,
  hasBrowser: true,
  senderFrame: null,
  senderWindow: 0,
};

/** Listeners of a window's page, by channel. */
const pageListeners = new EventEmitter();
const appEvents = new EventEmitter();
const invokeHandlers = new Map<string, InvokeHandler>();

export function resetElectron(): void {
  Object.assign(record, {
    hasLock: true,
    chosenFile: undefined,
    pressedButton: 0,
    hasBrowser: true,
    senderFrame: { url: 'tabularium-app://app/', parent: null },
    senderWindow: 0,
  });
  record.calls.length = 0;
  record.windows.length = 0;
  record.handlers.clear();
  appEvents.removeAllListeners();
  pageListeners.removeAllListeners();
  record.menus.length = 0;
  invokeHandlers.clear();
}

/** Emits an event to the application's listeners, as Electron does; returns whether one of them prevented the default. */
export function emitApp(name: string, ...args: unknown[]): boolean {
  let prevented = false;
  appEvents.emit(name, { preventDefault: () => (prevented = true) }, ...args);
  return prevented;
}

function called(what: string, ...args: unknown[]): void {
  record.calls.push([what, ...args]);
}

export const app = {
  requestSingleInstanceLock: () => record.hasLock,
  quit: () => called('app.quit'),
  exit: (code?: number) => called('app.exit', code),
  enableSandbox: () => called('app.enableSandbox'),
  setAsDefaultProtocolClient: (name: string) => {
    called('app.setAsDefaultProtocolClient', name);
    return true;
  },
  setActivationPolicy: (policy: 'regular' | 'accessory' | 'prohibited') => called('app.setActivationPolicy', policy),
  whenReady: () => {
    called('app.whenReady');
    return Promise.resolve();
  },
  on(name: string, listener: Listener) {
    appEvents.on(name, listener as (...args: unknown[]) => void);
    return notChained;
  },
  once(name: string, listener: Listener) {
    appEvents.once(name, listener as (...args: unknown[]) => void);
    return notChained;
  },
} satisfies Partial<Electron.App>;

export class BrowserWindow extends EventEmitter {
  static getFocusedWindow(): BrowserWindow | null {
    return record.windows.find(({ focused, closed }) => focused && !closed) ?? null;
  }

  static getAllWindows(): BrowserWindow[] {
    return record.windows.filter((window) => !window.closed);
  }

  readonly options: Electron.BrowserWindowConstructorOptions;
  readonly contents = new EventEmitter();
  closed = false;
  focused = false;
  minimized = false;
  openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | undefined;

  readonly webContents = {
    setWindowOpenHandler: (handler) => {
      this.openHandler = handler;
    },
    send: (channel: string, ...args: unknown[]) => {
      called('webContents.send', record.windows.indexOf(this), channel, ...args);
      pageListeners.emit(channel, {}, ...structuredClone(args));
    },
    on: (name: string, listener: Listener) => {
      this.contents.on(name, listener as (...args: unknown[]) => void);
      return notChained;
    },
  } satisfies Partial<Electron.WebContents>;

  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    record.windows.push(this);
  }

  loadURL(url: string): Promise<void> {
    called('window.loadURL', url);
    return Promise.resolve();
  }

  show(): void {
    called('window.show');
  }

  focus(): void {
    called('window.focus');
  }

  restore(): void {
    called('window.restore');
  }

  isMinimized(): boolean {
    return this.minimized;
  }
}

export const shell = {
  openExternal: (url: string) => {
    called('shell.openExternal', url);
    return record.hasBrowser ? Promise.resolve() : Promise.reject(new Error('No application is registered.'));
  },
} satisfies Partial<Electron.Shell>;

export const protocol = {
  registerSchemesAsPrivileged: (schemes: Electron.CustomScheme[]) => called('protocol.registerSchemesAsPrivileged', schemes),
  handle: (scheme: string, handler: (request: Request) => Response | Promise<Response>) => {
    record.handlers.set(scheme, handler);
  },
} satisfies Partial<Electron.Protocol>;

export const session = {
  defaultSession: {
    setPermissionRequestHandler: (handler: unknown) => called('session.setPermissionRequestHandler', handler),
  },
};

export const dialog = {
  showErrorBox: (title: string, content: string) => called('dialog.showErrorBox', title, content),
  showMessageBoxSync: (window: unknown, options?: unknown) => {
    called('dialog.showMessageBoxSync', window, options);
    return record.pressedButton;
  },
  showSaveDialog: (options: unknown) => {
    called('dialog.showSaveDialog', options);
    return Promise.resolve({ canceled: record.chosenFile === undefined, filePath: record.chosenFile ?? '' });
  },
  showOpenDialog: (options: unknown) => {
    called('dialog.showOpenDialog', options);
    return Promise.resolve({
      canceled: record.chosenFile === undefined,
      filePaths: record.chosenFile === undefined ? [] : [record.chosenFile],
    });
  },
} satisfies Partial<Electron.Dialog>;

export const ipcMain = {
  handle: (channel: string, listener: InvokeHandler) => {
    invokeHandlers.set(channel, listener);
  },
} satisfies Partial<Electron.IpcMain>;

export const ipcRenderer = {
  // Arguments and results are cloned as on the real channel: what cannot be cloned fails here too.
  async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
    const handler = invokeHandlers.get(channel);
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
    return structuredClone(
      await handler(
        {
          senderFrame: record.senderFrame,
          sender: record.windows[record.senderWindow]?.webContents as unknown,
        } as Electron.IpcMainInvokeEvent,
        ...structuredClone(args),
      ),
    );
  },
  on(channel: string, listener: Listener) {
    pageListeners.on(channel, listener as (...args: unknown[]) => void);
    return notChained;
  },
  off(channel: string, listener: Listener) {
    pageListeners.off(channel, listener as (...args: unknown[]) => void);
    return notChained;
  },
} satisfies Partial<Electron.IpcRenderer>;

export const Menu = {
  buildFromTemplate: (template: Electron.MenuItemConstructorOptions[]) => template,
  setApplicationMenu: (menus: Electron.MenuItemConstructorOptions[]) => {
    record.menus.splice(0, Infinity, ...menus);
  },
};

export const contextBridge = {
  exposeInMainWorld: (name: string, api: unknown) => {
    record.exposed.set(name, api);
  },
} satisfies Partial<Electron.ContextBridge>;
