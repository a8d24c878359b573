import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const store = new URL('../../host/src/runtime/credentials/osSecureStore.ts', import.meta.url).href;
const program = `
  import { OsSecureStore } from '${store}';
  const store = new OsSecureStore({ platform: 'linux' });
  const thrown = await store.set('test/never', 'hunter2').then(() => 'kept', (error) => error.code);
  console.log(JSON.stringify({ state: await store.state(), thrown }));
`;

describe('a machine without a secure store', () => {
  // The package's own default would take the kernel's keyring here, or say that it had deleted what it never kept.
  it('is recognized with the real package, and nothing is stored', async () => {
    // macOS and Windows always have their store, and this would write to it.
    if (process.platform !== 'linux') return;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=tabularium:source', '--input-type=module', '-e', program],
      { env: { PATH: process.env['PATH'], HOME: '/nonexistent', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' } },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      state: { available: false, reason: expect.stringContaining('gnome-keyring') as string },
      thrown: 'SECURE_STORE_UNAVAILABLE',
    });
  });
});
