import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DesktopBridge } from '../common/desktop.ts';
import { runCarrier } from './carrier.ts';
import { emitApp, record, resetElectron } from './electronStub.test-helper.ts';
import './preload.ts';

const handler = vi.fn<(request: Request) => Promise<Response>>();
const close = vi.fn<() => Promise<void>>();
const ensureMcp = vi.fn<() => Promise<void>>();

const run = (): Promise<void> =>
  runCarrier({ startHost: async () => ({ handler, ensureMcp, close }), preload: '/app/preload.cjs' });
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

  it('hands requests to the host and its answers back, under a strict policy', async () => {
    await run();
    const response = await ask('tabularium-app://app/api/x?y=1');
    expect(handler.mock.calls[0]?.[0].url).toBe('tabularium-app://app/api/x?y=1');
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ ok: true });
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('refuses every other origin', async () => {
    await run();
    expect((await ask('tabularium-app://elsewhere/api/x')).status).toBe(403);
    expect(handler).not.toHaveBeenCalled();
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
      await expect(desktop.chooseFile(request)).rejects.toThrow('This page may not ask for files.');
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
    await vi.waitFor(() => expect(callsOf('app.exit')).toEqual([[0]]));
  });

  it('ends with a failure when the host cannot close', async () => {
    close.mockRejectedValue(new Error('stuck'));
    await run();
    emitApp('will-quit');
    await vi.waitFor(() => expect(callsOf('app.exit')).toEqual([[1]]));
  });

  it('says why when the host does not start', async () => {
    await runCarrier({ startHost: () => Promise.reject(new Error('Another host owns this home.')), preload: '/app/preload.cjs' });
    expect(callsOf('dialog.showErrorBox')).toEqual([['Tabularium could not start', 'Another host owns this home.']]);
    expect(callsOf('app.exit')).toEqual([[1]]);
    expect(record.windows).toEqual([]);
  });
});
