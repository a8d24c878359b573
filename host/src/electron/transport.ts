import { visibleText } from '@tabularium/sdk';
import { app, BrowserWindow, dialog, ipcMain, protocol, session, shell } from 'electron';
import type { IpcMainInvokeEvent, WebContents } from 'electron';
import type { DesktopHost, DesktopShell } from '../cli/desktopHost.ts';
import { chooseFileSchema, closeQuestionSchema, newWindowSchema } from '../common/desktop.ts';
import type { CloseQuestion } from '../common/desktop.ts';
import { DOCUMENTATION_PATH } from '../common/documentationPath.ts';
import { HiddenMode } from '../runtime/urlScheme/hiddenMode.ts';
import { URL_SCHEME } from '../runtime/urlScheme/startUrl.ts';
import { oneTimeRedirect } from '../web/oneTimeRedirect.ts';
import { APP_SCHEME, isOfPage } from '../web/windowHandler.ts';
import { chooseFileChannel, closeQuestionChannel, newWindowChannel } from './channels.ts';
import { showMenus } from './menu.ts';

export interface TransportOptions {
  /** Undefined: there is nothing to show. */
  readonly startHost: (shell: DesktopShell) => Promise<DesktopHost | undefined>;
  /** Absolute path of the built preload script. */
  readonly preload: string;
}

/** The question for a page that objects to its end without having said why. */
const UNKNOWN_LOSS: CloseQuestion = {
  message: 'Close the window with changes that aren’t saved?',
  detail: 'Open transactions of a console are rolled back, and text that isn’t staged is lost. Staged changes stay.',
  keepOpen: 'Keep Open',
  close: 'Close',
};

/** The question before the window of a page is closed. */
const closeQuestions = new WeakMap<WebContents, CloseQuestion>();

/** Asks before a window is closed in which something is unsaved. Nothing else of the application runs until the answer. */
function agreesToClose(window: BrowserWindow): boolean {
  const { message, detail, keepOpen, close } = closeQuestions.get(window.webContents) ?? UNKNOWN_LOSS;
  const pressed = dialog.showMessageBoxSync(window, {
    type: 'question',
    message: visibleText(message),
    detail: visibleText(detail, 'text'),
    buttons: [visibleText(keepOpen), visibleText(close)],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return pressed === 1;
}

function openWindow(preload: string, { pageUrl, sendsSignInTo }: DesktopHost, url: string): void {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    minWidth: 720,
    minHeight: 480,
    show: false,
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      navigateOnDragDrop: false,
    },
  });
  const documentation = `${pageUrl}${DOCUMENTATION_PATH}`;
  window.webContents.setWindowOpenHandler(({ url: asked }) => {
    if (isOfPage(documentation, asked)) openDocumentation(documentation, asked);
    // A browser that doesn't open, or a host that doesn't answer: the window shows the address.
    else if (asked.startsWith('https://')) void openProvider(sendsSignInTo, asked).catch(() => undefined);
    return { action: 'deny' };
  });
  stayOn(window, pageUrl);
  window.webContents.on('will-prevent-unload', (event) => {
    // The call prevents the page's objection.
    if (agreesToClose(window)) event.preventDefault();
  });
  window.once('ready-to-show', () => window.show());
  void window.loadURL(url);
}

/**
 * Opens the page of a provider in the system's browser, while the host signs a person in there: a page that was taken over opens nothing else. On Linux a browser gets it as an argument, which every user of the computer can read; with the state and
 * the challenge in it another user could sign the person in as somebody else.
 */
async function openProvider(sendsSignInTo: DesktopHost['sendsSignInTo'], address: string): Promise<void> {
  if (!(await sendsSignInTo(address))) return;
  await shell.openExternal(process.platform === 'linux' ? await oneTimeRedirect(address) : address);
}

/** The documentation is pages alone: their window has no way to the shell. */
function openDocumentation(documentation: string, url: string): void {
  const window = new BrowserWindow({
    width: 1100,
    height: 800,
    minWidth: 480,
    minHeight: 360,
    webPreferences: {
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      navigateOnDragDrop: false,
    },
  });
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  stayOn(window, documentation);
  void window.loadURL(url);
}

/** Keeps a window on its pages. */
function stayOn(window: BrowserWindow, pageUrl: string): void {
  window.webContents.on('will-navigate', (event) => {
    if (!isOfPage(pageUrl, event.url)) event.preventDefault();
  });
}

async function chooseFile(argument: unknown): Promise<string | undefined> {
  const { purpose, title, suggestedName } = chooseFileSchema.parse(argument);
  const defaults = {
    title: visibleText(title),
    ...(suggestedName === undefined ? {} : { defaultPath: visibleText(suggestedName, 'name', 4_096) }),
  };
  if (purpose === 'save') {
    const { canceled, filePath } = await dialog.showSaveDialog(defaults);
    return canceled ? undefined : filePath;
  }
  const { canceled, filePaths } = await dialog.showOpenDialog({ ...defaults, properties: ['openFile'] });
  return canceled ? undefined : filePaths[0];
}

/** Closes the host before the process ends: driver processes and the lock of the home go with it. */
function closeBeforeQuitting(host: DesktopHost): void {
  app.once('will-quit', (event) => {
    event.preventDefault();
    host[Symbol.asyncDispose]().then(
      () => app.exit(0),
      () => app.exit(1),
    );
  });
}

/** The calls that our page may make to the shell. Only the top frame may: a frame that got in some other way may not. */
function listenToPage(pageUrl: string, newWindow: (connectionId: string | undefined) => void): void {
  const ours =
    (answer: (argument: unknown, page: WebContents) => unknown) =>
    async ({ senderFrame: frame, sender }: IpcMainInvokeEvent, argument: unknown): Promise<unknown> => {
      if (frame === null || frame.parent !== null || !isOfPage(pageUrl, frame.url))
        throw new Error("This page isn't allowed to make this request.");
      return answer(argument, sender);
    };
  ipcMain.handle(chooseFileChannel, ours(chooseFile));
  ipcMain.handle(
    newWindowChannel,
    ours((id) => newWindow(newWindowSchema.parse(id))),
  );
  ipcMain.handle(
    closeQuestionChannel,
    ours((argument, page) => {
      const question = closeQuestionSchema.parse(argument);
      if (question === undefined) closeQuestions.delete(page);
      else closeQuestions.set(page, question);
    }),
  );
}

/** Opens the window in Electron: carries requests between it and the host, and decides nothing. */
export async function runTransport({ startHost, preload }: TransportOptions): Promise<void> {
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  const privileges = { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges }]);
  app.enableSandbox();
  app.setAsDefaultProtocolClient(URL_SCHEME);
  let host: DesktopHost | undefined;
  // The address of the first window works once, and lets the others in.
  let firstUrl: string | undefined;
  const open = (place = ''): void => {
    if (host === undefined) return;
    openWindow(preload, host, firstUrl ?? `${host.pageUrl}${place}`);
    firstUrl = undefined;
  };
  // Made before the application is ready, because macOS emits an address at once.
  const mode = new HiddenMode(process.argv, {
    setHidden: (hidden) => {
      if (process.platform === 'darwin') app.setActivationPolicy(hidden ? 'accessory' : 'regular');
    },
    showWindow: () => {
      const [window] = BrowserWindow.getAllWindows();
      if (window === undefined) return open();
      if (window.isMinimized()) window.restore();
      return window.focus();
    },
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    mode.opened(url);
  });
  app.on('second-instance', (_event, words) => mode.startedAgain(words));
  app.on('activate', () => mode.show());
  await app.whenReady();

  try {
    host = await startHost({ isHidden: () => mode.isHidden, show: () => mode.show() });
  } catch (error) {
    dialog.showErrorBox(
      'Tabularium could not start',
      visibleText(error instanceof Error ? error.message : String(error), 'text'),
    );
    app.exit(1);
    return;
  }
  if (host === undefined) {
    app.exit(0);
    return;
  }
  firstUrl = host.firstUrl;
  closeBeforeQuitting(host);
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  if (host.handler !== undefined) protocol.handle(APP_SCHEME, host.handler);
  listenToPage(host.pageUrl, (id) => open(id === undefined ? '#new' : `#connection=${id}`));
  showMenus(() => open('#new'));
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  mode.begin(host.ensureMcp);
}
