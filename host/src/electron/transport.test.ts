import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DesktopHost } from '../cli/desktopHost.ts';
import type { DesktopBridge } from '../common/desktop.ts';
import { runTransport } from './transport.ts';
import { emitApp, ipcRenderer, record, resetElectron } from './electronStub.test-helper.ts';
import './preload.ts';

const handler = vi.fn<(request: Request) => Promise<Response>>();
const close = vi.fn<() => Promise<void>>();
const ensureMcp = vi.fn<() => Promise<void>>();

const own = { pageUrl: 'tabularium-app://app/', firstUrl: 'tabularium-app://app/' };
const run = (host: Partial<DesktopHost> = {}): Promise<void> =>
  runTransport({
    startHost: async () => ({
      ...own,
      handler,
      sendsSignInTo: async () => false,
      ensureMcp,
      [Symbol.asyncDispose]: close,
      ...host,
    }),
    preload: '/app/preload.cjs',
  });
const callsOf = (what: string): unknown[][] => record.calls.filter(([name]) => name === what).map(([, ...args]) => args);
const names = (): string[] => record.calls.map(([name]) => name);

function onlyWindow(): (typeof record.windows)[number] {
  expect(record.windows).toHaveLength(1);
  const [window] = record.windows;
  if (window === undefined) throw new Error('no window');
  return window;
}

beforeEach(() => {
  resetElectron();
  handler.mockReset().mockImplementation(async () => Response.json({ ok: true }, { status: 201 }));
  close.mockReset().mockResolvedValue();
  ensureMcp.mockReset().mockResolvedValue();
});

describe('the window', () => {
  it('is isolated, sandboxed and without Node', async () => {
    await run();
    const window = onlyWindow();
    expect(window.options.webPreferences).toMatchObject({
      preload: '/app/preload.cjs',
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
    });
    expect(names()).toContain('app.enableSandbox');
    expect(callsOf('window.loadURL')).toEqual([['tabularium-app://app/']]);
  });

  it('opens no other window and goes nowhere else', async () => {
    await run();
    const window = onlyWindow();
    expect(window.openHandler?.({ url: 'https://example.org/' } as never)).toEqual({ action: 'deny' });
    const goTo = (url: string): boolean => {
      const preventDefault = vi.fn();
      window.contents.emit('will-navigate', { url, preventDefault });
      return preventDefault.mock.calls.length === 0;
    };
    expect(goTo('tabularium-app://app/settings')).toBe(true);
    for (const url of [
      'https://example.org/',
      'tabularium-app://application/',
      'file:///etc/passwd',
      'tabularium-app://app.evil/',
    ]) {
      expect(goTo(url), url).toBe(false);
    }
  });

  it("opens the page of a provider in the system's browser, while a sign-in sends the person there, and no other", async () => {
    const running = new Set(['https://login.example/authorize?state=1', 'http://127.0.0.1:4000/authorize', 'file:///etc/passwd']);
    await run({ sendsSignInTo: async (address) => running.has(address) });
    const ask = (url: string): void => expect(onlyWindow().openHandler?.({ url } as never)).toEqual({ action: 'deny' });
    for (const url of ['https://login.example/', 'https://login.example/authorize?state=2', ...[...running].slice(1)]) ask(url);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(callsOf('shell.openExternal')).toEqual([]);
    ask('https://login.example/authorize?state=1');
    await expect.poll(() => callsOf('shell.openExternal')).toHaveLength(1);
    // Without a browser the window still shows the address.
    record.hasBrowser = false;
    ask('https://login.example/authorize?state=1');
    await expect.poll(() => callsOf('shell.openExternal')).toHaveLength(2);
    running.clear();
    ask('https://login.example/authorize?state=1');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(callsOf('shell.openExternal')).toHaveLength(2);
  });

  it('gives no browser on Linux the address of a sign-in, which other users could read in its arguments', async () => {
    const address = 'https://login.example/authorize?state=M4RKED';
    await run({ sendsSignInTo: async (asked) => asked === address });
    onlyWindow().openHandler?.({ url: address } as never);
    await expect.poll(() => callsOf('shell.openExternal')).toHaveLength(1);
    const [[opened] = []] = callsOf('shell.openExternal');
    if (process.platform !== 'linux') return expect(opened).toBe(address);
    expect(opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]+$/);
    const answer = await fetch(String(opened), { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe(address);
  });

  it('opens no page of a provider where the host does not answer', async () => {
    await run({ sendsSignInTo: () => Promise.reject(new Error('gone')) });
    onlyWindow().openHandler?.({ url: 'https://login.example/authorize?state=1' } as never);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(callsOf('shell.openExternal')).toEqual([]);
  });

  it('shows the documentation in a window of its own, which has no way to the shell and stays there', async () => {
    await run();
    const first = onlyWindow();
    const address = 'tabularium-app://app/docs/guide/drivers.html';
    expect(first.openHandler?.({ url: address } as never)).toEqual({ action: 'deny' });
    const [, second] = record.windows;
    expect(callsOf('window.loadURL').at(-1)).toEqual([address]);
    expect(second?.options.webPreferences).toEqual({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      navigateOnDragDrop: false,
    });
    const preventDefault = vi.fn();
    second?.contents.emit('will-navigate', { url: 'tabularium-app://app/', preventDefault });
    expect(preventDefault).toHaveBeenCalledTimes(1);
    first.openHandler?.({ url: 'tabularium-app://app/docsomething' } as never);
    expect(record.windows.length).toBe(2);
  });

  it.each([
    ['stays open when the page objects and a person keeps it', 0, false],
    ['is closed when a person wants it all the same', 1, true],
  ])('%s', async (_what, pressed, closes) => {
    await run();
    record.pressedButton = pressed;
    const preventDefault = vi.fn();
    onlyWindow().contents.emit('will-prevent-unload', { preventDefault });
    const [[, asked] = []] = callsOf('dialog.showMessageBoxSync');
    expect(asked).toMatchObject({
      buttons: ['Keep Open', 'Close'],
      cancelId: 0,
      detail: expect.stringMatching(/Open transactions.*are rolled back.*Staged changes stay\./) as string,
    });
    expect(preventDefault).toHaveBeenCalledTimes(closes ? 1 : 0);
  });

  it("asks in the page's own words what is lost, of each window what that one said", async () => {
    await run();
    const desktop = record.exposed.get('desktop') as DesktopBridge;
    desktop.newWindow?.();
    await vi.waitFor(() => expect(record.windows).toHaveLength(2), { timeout: 120_000 });
    const closeWindow = (place: number): unknown => {
      record.windows[place]?.contents.emit('will-prevent-unload', { preventDefault: vi.fn() });
      return callsOf('dialog.showMessageBoxSync').at(-1)?.[1];
    };
    const asked = {
      message: 'Fenster schließen und die offene Transaktion zurückrollen?',
      detail: 'Die Transaktion in „Shop\u202e“ wird zurückgerollt.\nVorgemerkte Änderungen bleiben.',
      keepOpen: 'Offen lassen',
      close: 'Schließen',
    };
    record.senderWindow = 1;
    await ipcRenderer.invoke('tabularium:close-question', asked);
    expect(closeWindow(1)).toMatchObject({
      message: asked.message,
      detail: 'Die Transaktion in „Shop⟨U+202E⟩“ wird zurückgerollt.\nVorgemerkte Änderungen bleiben.',
      buttons: ['Offen lassen', 'Schließen'],
      defaultId: 0,
      cancelId: 0,
    });
    expect(closeWindow(0)).toMatchObject({ buttons: ['Keep Open', 'Close'] });
    desktop.setCloseQuestion?.(undefined);
    await vi.waitFor(() => expect(closeWindow(1)).toMatchObject({ buttons: ['Keep Open', 'Close'] }), { timeout: 120_000 });
  });

  it('takes no question from another page, nor one that is none', async () => {
    await run();
    await expect(ipcRenderer.invoke('tabularium:close-question', { message: 'Close?' })).rejects.toThrow(/detail/);
    record.senderFrame = { url: 'https://example.org/', parent: null };
    await expect(ipcRenderer.invoke('tabularium:close-question', undefined)).rejects.toThrow(
      "This page isn't allowed to make this request.",
    );
  });

  it('is granted no permission', async () => {
    await run();
    const decide = vi.fn();
    const [[ask] = []] = callsOf('session.setPermissionRequestHandler') as [(...args: unknown[]) => void][];
    ask?.(undefined, 'media', decide);
    expect(decide).toHaveBeenCalledExactlyOnceWith(false);
  });
});

describe('the custom protocol', () => {
  const ask = async (url: string): Promise<Response> => {
    const answer = record.handlers.get('tabularium-app');
    if (answer === undefined) throw new Error('no protocol handler');
    return answer(new Request(url));
  };

  it('is registered before the application is ready', async () => {
    await run();
    expect(names().indexOf('protocol.registerSchemesAsPrivileged')).toBeLessThan(names().indexOf('app.whenReady'));
    expect(callsOf('protocol.registerSchemesAsPrivileged')).toEqual([
      [
        [
          {
            scheme: 'tabularium-app',
            privileges: expect.objectContaining({ standard: true, secure: true, stream: true }) as unknown,
          },
        ],
      ],
    ]);
  });

  it('is answered by the host', async () => {
    await run();
    const response = await ask('tabularium-app://app/api/x?y=1');
    expect(handler.mock.calls[0]?.[0].url).toBe('tabularium-app://app/api/x?y=1');
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ ok: true });
  });
});

describe('another window', () => {
  const ID = '5d1f3a0e-6d3c-4c3a-9b57-0f6f6f3d2c11';

  it('shows a connection, or nothing yet', async () => {
    await run();
    const desktop = record.exposed.get('desktop') as DesktopBridge;
    desktop.newWindow?.(ID);
    desktop.newWindow?.();
    await vi.waitFor(() => expect(record.windows).toHaveLength(3), { timeout: 120_000 });
    expect(callsOf('window.loadURL')).toEqual([
      ['tabularium-app://app/'],
      [`tabularium-app://app/#connection=${ID}`],
      ['tabularium-app://app/#new'],
    ]);
    expect(record.windows.every(({ options }) => options.webPreferences?.sandbox === true)).toBe(true);
  });

  it("denies other pages, and requests that aren't connections", async () => {
    await run();
    await expect(ipcRenderer.invoke('tabularium:new-window', '../x')).rejects.toThrow(/UUID/i);
    record.senderFrame = { url: 'https://example.org/', parent: null };
    await expect(ipcRenderer.invoke('tabularium:new-window', ID)).rejects.toThrow(
      "This page isn't allowed to make this request.",
    );
    expect(record.windows).toHaveLength(1);
  });
});

describe('the window of a host that runs already', () => {
  const elsewhere = { pageUrl: 'http://127.0.0.1:4000/', firstUrl: 'http://127.0.0.1:4000/?key=once', handler: undefined };

  it('is opened by its address, once, and goes nowhere else', async () => {
    await run(elsewhere);
    record.senderFrame = { url: 'http://127.0.0.1:4000/', parent: null };
    await ipcRenderer.invoke('tabularium:new-window');
    expect(callsOf('window.loadURL')).toEqual([['http://127.0.0.1:4000/?key=once'], ['http://127.0.0.1:4000/#new']]);
    expect(record.handlers.size).toBe(0);
    const preventDefault = vi.fn();
    record.windows[0]?.contents.emit('will-navigate', { url: 'http://127.0.0.1:4001/', preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
  });

  it('is nothing where that host shows itself, or has been asked for its MCP server', async () => {
    await runTransport({ startHost: async () => undefined, preload: '/app/preload.cjs' });
    expect(record.windows).toEqual([]);
    expect(callsOf('app.exit')).toEqual([[0]]);
    expect(callsOf('dialog.showErrorBox')).toEqual([]);
  });
});

describe('choosing a file', () => {
  const bridge = async (): Promise<DesktopBridge> => {
    await run();
    return record.exposed.get('desktop') as DesktopBridge;
  };

  it('returns the path, or undefined if the user cancelled', async () => {
    const desktop = await bridge();
    record.chosenFile = '/home/me/a.jsonl';
    expect(await desktop.chooseFile({ purpose: 'save', title: 'Export', suggestedName: 'a.jsonl' })).toBe('/home/me/a.jsonl');
    expect(callsOf('dialog.showSaveDialog')).toEqual([[{ title: 'Export', defaultPath: 'a.jsonl' }]]);
    record.chosenFile = undefined;
    expect(await desktop.chooseFile({ purpose: 'open', title: 'Open' })).toBeUndefined();
    expect(callsOf('dialog.showOpenDialog')).toEqual([[{ title: 'Open', properties: ['openFile'] }]]);
  });

  it('is refused to other pages, to frames within ours, and with other arguments', async () => {
    const desktop = await bridge();
    const request = { purpose: 'open', title: 'Open' } as const;
    for (const frame of [null, { url: 'https://example.org/', parent: null }, { url: 'tabularium-app://app/', parent: {} }]) {
      record.senderFrame = frame;
      await expect(desktop.chooseFile(request)).rejects.toThrow("This page isn't allowed to make this request.");
    }
    record.senderFrame = { url: 'tabularium-app://app/', parent: null };
    await expect(desktop.chooseFile({ ...request, purpose: 'delete' as 'open' })).rejects.toThrow(/purpose/);
    expect(callsOf('dialog.showOpenDialog')).toEqual([]);
  });
});

describe('the life of the application', () => {
  it('gives way to the one that runs already', async () => {
    record.hasLock = false;
    await run();
    expect(record.calls).toEqual([['app.quit']]);
    expect(record.windows).toEqual([]);
  });

  it('brings its window to the front when it is started again', async () => {
    await run();
    onlyWindow().minimized = true;
    emitApp('second-instance', ['tabularium']);
    expect(names().slice(-2)).toEqual(['window.restore', 'window.focus']);
    expect(record.windows).toHaveLength(1);
  });

  it('closes the host before it ends', async () => {
    const closing = Promise.withResolvers<void>();
    close.mockReturnValue(closing.promise);
    await run();
    expect(emitApp('will-quit')).toBe(true);
    expect(close).toHaveBeenCalledOnce();
    expect(names()).not.toContain('app.exit');
    closing.resolve();
    await vi.waitFor(() => expect(callsOf('app.exit')).toEqual([[0]]), { timeout: 120_000 });
  });

  it('ends with a failure when the host cannot close', async () => {
    close.mockRejectedValue(new Error('stuck'));
    await run();
    emitApp('will-quit');
    await vi.waitFor(() => expect(callsOf('app.exit')).toEqual([[1]]), { timeout: 120_000 });
  });

  it('says why when the host does not start', async () => {
    await runTransport({
      startHost: () => Promise.reject(new Error('Another host owns this home.')),
      preload: '/app/preload.cjs',
    });
    expect(callsOf('dialog.showErrorBox')).toEqual([['Tabularium could not start', 'Another host owns this home.']]);
    expect(callsOf('app.exit')).toEqual([[1]]);
    expect(record.windows).toEqual([]);
  });
});
