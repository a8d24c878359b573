import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHost } from './startHost.ts';

let home: string;
const env = () => ({ ...process.env, TABULARIUM_HOME: home, TABULARIUM_LOCAL_REGISTRY: join(home, 'no-registry.json') });

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tabularium-electron-'));
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

describe('startHost', () => {
  it('answers the API, owns its home until it is closed, and leaves it to the next one', async () => {
    const host = await startHost(env());
    const info = await host.handler(new Request('tabularium-app://app/api/trpc/application.info'));
    expect(info.status).toBe(200);
    expect(await info.json()).toMatchObject({ result: { data: { home } } });
    await expect(startHost(env())).rejects.toThrow(/already|owns|in use|runs/i);
    await host.close();

    const next = await startHost(env());
    await next.close();
    expect(existsSync(join(home, 'tabularium.db'))).toBe(true);
  });
});
