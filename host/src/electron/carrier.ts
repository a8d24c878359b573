import { app, BrowserWindow, dialog, ipcMain, protocol, session } from 'electron';
import type { IpcMainInvokeEvent } from 'electron';
import { chooseFileSchema } from '../common/desktop.ts';
import type { FetchHandler } from '../common/fetchHandler.ts';
import { COMMON_HEADERS, contentSecurityPolicy } from '../web/securityHeaders.ts';
import { chooseFileChannel } from './channels.ts';
import { HiddenStart } from './hiddenStart.ts';

const scheme = 'tabularium-app';
const pageUrl = `${scheme}://app/`;

/** Not by `URL.origin`: Node calls the origin of every scheme it does not know "null". */
function isOurs(url: string): boolean {
  return url.startsWith(pageUrl);
}

export interface RunningHost {
  readonly handler: FetchHandler;
  /** Starts the MCP server where it is enabled and does not run. */
  readonly ensureMcp: () => Promise<void>;
  close(): Promise<void>;
}

export interface CarrierOptions {
  readonly startHost: () => Promise<RunningHost>;
  /** Absolute path of the built preload script. */
  readonly preload: string;
}

async function answer(handler: FetchHandler, request: Request): Promise<Response> {
  if (!isOurs(request.url)) return new Response(null, { status: 403 });
  const response = await handler(request);
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(COMMON_HEADERS)) headers.set(name, value);
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', contentSecurityPolicy());
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

function openWindow(preload: string): void {
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
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  window.webContents.on('will-navigate', (event) => {
    if (!isOurs(event.url)) event.preventDefault();
  });
  window.once('ready-to-show', () => window.show());
  void window.loadURL(pageUrl);
}

async function chooseFile(event: IpcMainInvokeEvent, argument: unknown): Promise<string | undefined> {
  // Only the top frame of our own page may ask: a frame that got in some other way may not.
  const frame = event.senderFrame;
  if (frame === null || frame.parent !== null || !isOurs(frame.url)) throw new Error('This page may not ask for files.');
  const { purpose, title, suggestedName } = chooseFileSchema.parse(argument);
  const defaults = { title, ...(suggestedName === undefined ? {} : { defaultPath: suggestedName }) };
  if (purpose === 'save') {
    const { canceled, filePath } = await dialog.showSaveDialog(defaults);
    return canceled ? undefined : filePath;
  }
  const { canceled, filePaths } = await dialog.showOpenDialog({ ...defaults, properties: ['openFile'] });
  return canceled ? undefined : filePaths[0];
}

/** Closes the host before the process ends: driver processes and the lock of the home go with it. */
function closeBeforeQuitting(host: RunningHost): void {
  app.once('will-quit', (event) => {
    event.preventDefault();
    host.close().then(
      () => app.exit(0),
      () => app.exit(1),
    );
  });
}

/** Opens the window in Electron: carries requests between it and the host, and decides nothing. */
export async function runCarrier({ startHost, preload }: CarrierOptions): Promise<void> {
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  const privileges = { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme, privileges }]);
  app.enableSandbox();
  const hiddenStart = new HiddenStart(() => openWindow(preload));
  await app.whenReady();

  let host: RunningHost;
  try {
    host = await startHost();
  } catch (error) {
    dialog.showErrorBox('Tabularium could not start', error instanceof Error ? error.message : String(error));
    app.exit(1);
    return;
  }
  closeBeforeQuitting(host);
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  protocol.handle(scheme, (request) => answer(host.handler, request));
  ipcMain.handle(chooseFileChannel, chooseFile);

  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  hiddenStart.begin(host.ensureMcp);
}
