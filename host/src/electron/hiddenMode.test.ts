import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runTransport } from './transport.ts';
import { emitApp, record, resetElectron } from './electronStub.test-helper.ts';

const START = 'tabularium://integrations/start-mcp';
const ensureMcp = vi.fn<() => Promise<void>>();
const words = process.argv;
const { platform } = process;

const run = (): Promise<void> =>
  runTransport({
    startHost: async () => ({
      pageUrl: 'app://a/',
      firstUrl: 'app://a/',
      sendsSignInTo: async () => false,
      ensureMcp,
      [Symbol.asyncDispose]: async () => undefined,
    }),
    preload: '/app/preload.cjs',
  });
const policies = (): unknown[] => record.calls.filter(([what]) => what === 'app.setActivationPolicy').map(([, policy]) => policy);
const on = (name: NodeJS.Platform): void => void Object.defineProperty(process, 'platform', { value: name });

beforeEach(() => {
  resetElectron();
  ensureMcp.mockReset().mockResolvedValue();
});
afterEach(() => {
  process.argv = words;
  on(platform);
});

describe('an application that was started by an address', () => {
  it.each<NodeJS.Platform>(['linux', 'win32'])('has no window until it is started by hand (%s)', async (name) => {
    on(name);
    process.argv = [...words, START];
    await run();
    expect(record.windows).toEqual([]);
    expect(record.calls).toContainEqual(['app.setAsDefaultProtocolClient', 'tabularium']);
    emitApp('second-instance', ['tabularium', START]);
    expect(record.windows).toEqual([]);
    expect(ensureMcp).toHaveBeenCalledOnce();
    emitApp('second-instance', ['tabularium']);
    expect(record.windows).toHaveLength(1);
    // From here on it is an application like any other.
    emitApp('second-instance', ['tabularium', START]);
    expect(record.windows).toHaveLength(1);
    expect(policies()).toEqual([]);
  });

  it('stays out of the dock of macOS, and comes into it with its window', async () => {
    on('darwin');
    const running = run();
    expect(emitApp('open-url', START)).toBe(true);
    await running;
    expect(record.windows).toEqual([]);
    expect(policies()).toEqual(['accessory']);
    emitApp('activate');
    expect(record.windows).toHaveLength(1);
    expect(policies()).toEqual(['accessory', 'regular']);
    emitApp('activate');
    expect(policies()).toEqual(['accessory', 'regular']);
  });

  it('shows its window when it was started by hand while it was starting', async () => {
    process.argv = [...words, START];
    const running = run();
    emitApp('second-instance', ['tabularium']);
    await running;
    expect(record.windows).toHaveLength(1);
  });
});

describe('an application that was started by hand', () => {
  it('starts its MCP server when an address asks for it', async () => {
    on('darwin');
    await run();
    expect(record.windows).toHaveLength(1);
    emitApp('open-url', START);
    expect(ensureMcp).toHaveBeenCalledOnce();
    expect(policies()).toEqual([]);
  });

  it.each([
    'tabularium://integrations/delete',
    'tabularium://integrations/start-mcp?home=/tmp',
    'https://example.org/',
    `x ${START}`,
  ])('takes %s for nothing', async (address) => {
    process.argv = [...words, address];
    await run();
    expect(record.windows).toHaveLength(1);
    emitApp('open-url', address);
    expect(ensureMcp).not.toHaveBeenCalled();
  });
});
