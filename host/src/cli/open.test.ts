import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeMachine } from './cli.test-helper.ts';

let machine: FakeMachine;
let env: Record<string, string>;
let openedFile: string;

/** A machine whose only program is an opener that notes what it opens. */
beforeEach(async () => {
  machine = await FakeMachine.create();
  const programs = join(machine.home, '..', 'programs');
  openedFile = join(machine.home, '..', 'opened');
  await mkdir(programs, { recursive: true });
  await writeFile(join(programs, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${openedFile}'\n`);
  await chmod(join(programs, 'xdg-open'), 0o755);
  env = { PATH: programs, HOSTS_OWN: '1' };
});
afterEach(() => machine[Symbol.asyncDispose]());

const openedPages = async (): Promise<string[]> => (await readFile(openedFile, 'utf8')).trim().split('\n');

// The opener of macOS and of Windows has another name.
if (process.platform === 'linux') {
  it('open --start runs a host where none runs and opens its window; the next one opens the window of that host', async () => {
    const stop = new AbortController();
    const shown = Promise.withResolvers<string>();
    const host = machine.run(['open', '--start'], { env, signal: stop.signal, onOutput: (text) => shown.resolve(text) });
    void host.then(({ err }) => shown.reject(new Error(`the host ended: ${err}`)));
    expect(await shown.promise).toBe('The window is open in your browser.\n');
    const [page = ''] = await openedPages();
    expect(await readFile(new URL(page), 'utf8')).toMatch(/url=http:\/\/127\.0\.0\.1:\d+\//);

    const second = await machine.run(['open', '--start'], { env });
    expect(second).toEqual({ code: 0, out: 'The window is open in your browser.\n', err: '' });
    expect(await openedPages()).toHaveLength(2);

    stop.abort();
    expect((await host).code).toBe(0);
    expect(machine.running).toBe(0);
  });

  it('open --start runs on where no browser can be opened, and says how to get to the window', async () => {
    await writeFile(join(machine.home, '..', 'programs', 'xdg-open'), '#!/bin/sh\nexit 3\n');
    const stop = new AbortController();
    const said = Promise.withResolvers<string>();
    const host = machine.run(['open', '--start'], {
      ...{ env, signal: stop.signal },
      onError: (text) => {
        if (text.includes('interrupted')) said.resolve(text);
      },
    });
    void host.then(({ err }) => said.reject(new Error(`the host ended: ${err}`)));
    expect(await said.promise).toBe(
      'No browser could be opened.\nRun "tabularium url", and open the address yourself.\nTabularium runs until it is interrupted.\n',
    );
    expect(machine.running).toBe(1);
    stop.abort();
    expect((await host).code).toBe(0);
  });

  it('open without --start starts no host', async () => {
    const { code, err } = await machine.run(['open'], { env });
    expect(code).toBe(1);
    expect(err).toContain('tabularium serve');
    expect(machine.running).toBe(0);
  });
}
