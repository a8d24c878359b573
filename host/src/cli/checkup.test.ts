import { readFileSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkupSchema } from '../common/checkup.ts';
import type { InstallationCheck } from '../common/checkup.ts';
import type { SecureStore } from '../runtime/credentials/secureStore.ts';
import { FakeMachine } from './cli.test-helper.ts';
import { realRuntime } from './realRuntime.test-helper.ts';

// With a real runtime: a check of a pretended one would find what the pretence says.

const NAMES = [
  ...['node', 'installation', 'clock', 'proxy', 'dataDirectory', 'disk', 'log', 'database'],
  ...['secureStore', 'connections', 'sandbox', 'drivers', 'registries', 'mcpServer', 'clients', 'updates'],
];

let machine: FakeMachine;
let hasStore: boolean;
beforeEach(async () => {
  machine = await FakeMachine.create();
  hasStore = true;
});
afterEach(() => machine[Symbol.asyncDispose]());

const stored = new Map<string, string>();
const secureStore: SecureStore = {
  state: async () =>
    hasStore ? { available: true, name: 'the store' } : { available: false, name: 'the store', reason: 'The store is locked.' },
  get: async (account) => stored.get(account),
  set: async (account, secret) => void stored.set(account, secret),
  delete: async (account) => void stored.delete(account),
};

const startRuntime = realRuntime(secureStore);

const env = (): Record<string, string> => ({
  HOME: join(machine.home, '..'),
  TABULARIUM_LOCAL_REGISTRY: join(machine.home, '..', 'no-registry.json'),
});

async function run(words: readonly string[], more: Record<string, string> = {}, typed?: string) {
  return machine.run(words, {
    startRuntime,
    env: { ...env(), ...more },
    ...(typed === undefined ? { input: 'MARKED-KEY' } : { isTerminal: true, input: typed }),
  });
}

async function doctor(more?: Record<string, string>): Promise<{ code: number; checks: readonly InstallationCheck[] }> {
  const { code, out } = await run(['doctor', '--json'], more);
  return { code, checks: checkupSchema.parse(JSON.parse(out)).checks };
}

const add = (name: string, ...words: string[]) =>
  run(['connections', 'add', '--driver', 'search', '--name', name, '--set', 'host=marked-host.example', ...words], {
    KEY: 'MARKED-KEY',
  });

const OTHER_USER = 65_534;
async function replaceLog(make: (file: string) => Promise<unknown>): Promise<void> {
  const file = join(machine.home, 'logs', 'host.log');
  await rm(file, { force: true });
  await make(file);
}

const database = (): string => join(machine.home, 'tabularium.db');

describe('doctor', () => {
  it('finds a new data directory sound, makes every check, and exits with 0', async () => {
    const { code, checks } = await doctor();
    expect(checks.map(({ name }) => name)).toEqual(NAMES);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(code).toBe(0);
  });

  it('prints a line for each check, and what to do below', async () => {
    const { code, out } = await run(['doctor'], { NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' });
    expect(out).toContain("FAILED  proxy          NODE_EXTRA_CA_CERTS names /nowhere/ca.pem, which can't be read.\n");
    expect(out).toContain('                       Correct the variable, or remove it.\n');
    expect(out).toContain('ok      database');
    expect(out).toMatch(/1 check failed\.\n$/);
    expect(code).toBe(1);
  });

  it('finds the database in use by the host that runs, and locked where none does', async () => {
    await doctor();
    using other = new DatabaseSync(database());
    // As a host has it.
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const checkOf = async (): Promise<InstallationCheck | undefined> =>
      (await doctor()).checks.find(({ name }) => name === 'database');
    expect(await checkOf()).toMatchObject({ ok: false, finding: expect.stringContaining('locked by another program') as string });

    const stop = new AbortController();
    const ready = Promise.withResolvers<void>();
    const host = machine.run(['serve'], { env: { HOSTS_OWN: '1' }, signal: stop.signal, onOutput: () => ready.resolve() });
    void host.then(({ err }) => ready.reject(new Error(`the host ended: ${err}`)));
    await ready.promise;
    try {
      expect(await checkOf()).toMatchObject({ ok: true, finding: 'The database is in use by the host that runs.' });
      const { out, code } = await machine.run(['doctor', '--json'], { startRuntime, env: env(), version: '1.2.4' });
      expect(checkupSchema.parse(JSON.parse(out)).checks).toContainEqual({
        name: 'host',
        ok: false,
        finding: 'The host that runs is Tabularium 1.2.3, and 1.2.4 is installed.',
        advice: 'Close Tabularium and open it again. Where it is a service: systemctl --user restart tabularium',
      });
      expect(code).toBe(1);
    } finally {
      stop.abort();
      await host;
    }
  });

  const faults: readonly (readonly [
    check: string,
    title: string,
    fault: () => Promise<Record<string, string> | void>,
    finding: RegExp,
  ])[] = [
    [
      'clock',
      'a clock behind the database',
      () => utimes(database(), new Date(), new Date(Date.now() + 3_600_000)),
      /was written at/,
    ],
    ['proxy', "a proxy that isn't an address", async () => ({ HTTPS_PROXY: 'ftp://proxy' }), /no address that can be used/],
    ['proxy', 'authorities that are not there', async () => ({ NODE_EXTRA_CA_CERTS: '/nowhere' }), /can't be read/],
    ['dataDirectory', 'a file in its place', async () => ({ TABULARIUM_HOME: database() }), /isn't a folder/],
    [
      'dataDirectory',
      'an identity that was damaged',
      () => writeFile(join(machine.home, 'home-identity.json'), '{}'),
      /home-identity\.json.* can't be understood/,
    ],
    ['log', 'a folder in the place of the log', () => replaceLog((file) => mkdir(file)), /host\.log isn't a file/],
    ['log', 'a link in the place of the log', () => replaceLog((file) => symlink('/nowhere', file)), /is a symbolic link/],
    [
      'log',
      'a log of another user, or one without write permission',
      // Root writes whatever the mode says; only root may give a file away.
      () =>
        replaceLog(async (file) => {
          await writeFile(file, '');
          await (process.getuid?.() === 0 ? chown(file, OTHER_USER, OTHER_USER) : chmod(file, 0o400));
        }),
      /belongs to another user|can't be read and written \(EACCES\)/,
    ],
    [
      'database',
      'a newest backup that was damaged',
      async () => {
        await run(['backup']);
        for (const name of await readdir(join(machine.home, 'backups')))
          await writeFile(join(machine.home, 'backups', name), 'x'.repeat(5_000));
      },
      /the newest backup .* No backup can be restored/,
    ],
    ['database', 'a damaged database', () => writeFile(database(), 'x'.repeat(5_000)), /first bytes were overwritten/],
    [
      'database',
      'a newer database',
      async () => {
        using file = new DatabaseSync(database());
        file.exec("INSERT INTO migrations SELECT '9999-newer', applied_at FROM migrations LIMIT 1");
      },
      /newer version/,
    ],
    ['host', 'a damaged database, with which none starts', () => writeFile(database(), 'x'.repeat(5_000)), /database/],
    [
      'secureStore',
      'a connection whose store is locked',
      async () => {
        await add('Shop', '--api-key-stdin');
        hasStore = false;
      },
      /The store is locked/,
    ],
    [
      'connections',
      "a connection that can't be read",
      async () => {
        await add('Shop', '--api-key-env', 'KEY');
        using file = new DatabaseSync(database());
        file.exec("UPDATE connections SET settings = 'none'");
      },
      /“Shop”/,
    ],
    [
      'drivers',
      'a connection whose driver is not installed, and no registry',
      async () => void (await add('Shop', '--api-key-env', 'KEY')),
      /1 connection needs a driver that isn't there \(search\): “Shop”/,
    ],
    [
      'registries',
      'a registry that does not answer',
      async () => ({ TABULARIUM_REGISTRIES: 'http://127.0.0.1:9/' }),
      /127\.0\.0\.1:9/,
    ],
    [
      'clients',
      'a client that starts a bridge that is gone',
      async () => {
        const folder = join(machine.home, '..', '.config', 'Claude');
        await mkdir(folder, { recursive: true });
        const entry = { mcpServers: { tabularium: { command: '/gone/tabularium-mcp' } } };
        await writeFile(join(folder, 'claude_desktop_config.json'), JSON.stringify(entry));
      },
      /Claude Desktop .* starts \/gone\/tabularium-mcp/,
    ],
  ];
  it('has for each check a test in which it fails', () => {
    const elsewhere: Readonly<Record<string, string>> = {
      node: '../runtime/checkup/machineChecks.test.ts',
      installation: '../../../tests/security/home-installation.test.ts',
      disk: '../../../tests/security/home-disk-full.test.ts',
      sandbox: '../runtime/checkup/hostChecks.test.ts',
      drivers: '../runtime/checkup/hostChecks.test.ts',
      mcpServer: '../runtime/checkup/hostChecks.test.ts',
    };
    const failing = new Set([...faults.map(([check]) => check), ...Object.keys(elsewhere)]);
    // A newer version isn't a fault.
    expect([...failing, 'updates'].toSorted()).toEqual([...NAMES, 'host'].toSorted());
    for (const [check, file] of Object.entries(elsewhere))
      expect(readFileSync(new URL(file, import.meta.url), 'utf8'), file).toContain(`'${check}'`);
  });

  it.each(faults)('finds with "%s": %s', async (check, _title, fault, finding) => {
    await run(['connections', 'list']);
    const more = (await fault()) ?? {};
    const { code, checks } = await doctor(more);
    const failed = checks.find(({ name }) => name === check);
    expect(failed).toMatchObject({ ok: false, finding: expect.stringMatching(finding) as string });
    expect(failed?.advice).toMatch(/\.|"$/);
    expect(code).toBe(1);
  });
});

describe('support', () => {
  /** Everything that a report must not have, where the program meets it. */
  async function mark(): Promise<void> {
    await add('Marked Connection', '--api-key-env', 'KEY');
    await run(['tables', 'Marked Connection'], { KEY: 'MARKED-KEY' });
    const lines = [
      'GET https://ada:MARKED-USERINFO@search.example/collections failed',
      'the header was Authorization: Bearer MARKED-BEARER',
      'options {"password":"MARKED-PASSWORD"}',
    ];
    await writeFile(
      join(machine.home, 'logs', 'host.log'),
      lines
        .map((message) => JSON.stringify({ time: '2026-03-02T09:15:00.000Z', level: 'error', component: 'host', message }))
        .map((line) => `${line}\n${line.slice(0, -10)}\n`)
        .join(''),
      {
        flag: 'a',
      },
    );
  }
  const marked = { HTTPS_PROXY: 'http://ada:MARKED-PROXY@127.0.0.1:9', KEY: 'MARKED-KEY', TABULARIUM_X: 'MARKED-VARIABLE' };

  it('shows versions, checks, settings and the log, without a secret, a value of a form, or a name of a person', async () => {
    await mark();
    const { out, code } = await run(['support'], marked);
    expect(code).toBe(0);
    for (const title of ['Computer', 'Checks', 'Drivers', 'Settings', 'Log']) expect(out).toContain(`\n## ${title}\n`);
    expect(out).toContain('1: driver search; fields port, ');
    expect(out).toContain('apiKey (environment)');
    expect(out).toContain('the header was Authorization: •••');
    expect(out).toContain('TABULARIUM_X');
    expect(out).not.toMatch(/marked/i);
    expect(out).not.toContain(join(machine.home, '..'));
  });

  it('counts connections that have a fault, and names them only to their owner', async () => {
    await add('Marked Connection', '--api-key-stdin');
    await add('Marked Broken', '--api-key-env', 'KEY');
    const file = new DatabaseSync(database());
    file.exec("UPDATE connections SET settings = 'none' WHERE name = 'Marked Broken'");
    file.close();
    hasStore = false;
    const named = await run(['doctor'], marked);
    expect(named.out).toMatch(/“Marked Connection”/);
    expect(named.out).toMatch(/“Marked Broken”/);
    const json = await run(['doctor', '--json'], marked);
    expect(json.out).not.toContain('forReport');
    const { out } = await run(['support'], marked);
    expect(out).toContain('It has the passwords and keys of 1 connection.');
    expect(out).toContain("1 connection can't be read.");
    expect(out).not.toMatch(/marked/i);
  });

  it.each([
    ['with a host', async () => undefined],
    ['without one', async () => writeFile(database(), 'x'.repeat(5_000))],
  ])('has origins of registries, and never their paths: %s', async (_title, damage) => {
    await run(['drivers', 'registries', 'add', 'http://127.0.0.1:9/npm/MARKED-ONE']);
    const variables = { TABULARIUM_REGISTRIES: 'http://127.0.0.1:8/MARKED-TWO/ bad-MARKED-THREE' };
    await run(['drivers', 'update'], variables);
    await damage();
    const { out } = await run(['support'], variables);
    expect(out).not.toMatch(/MARKED/);
    if (_title === 'with a host') expect(out).toContain('http://127.0.0.1:9/…');
  });

  it('ends with the newest entries of the log, however long it is', async () => {
    const entry = (number: number): string =>
      JSON.stringify({
        ...{ time: '2026-03-02T09:15:00.000Z', level: 'info', component: 'host' },
        message: `entry ${number} ${'x'.repeat(900)}`,
      });
    const lines = Array.from({ length: 300 }, (_, number) => `${entry(number)}\n`);
    await run(['connections', 'list']);
    await writeFile(join(machine.home, 'logs', 'host.log'), lines.join(''), { flag: 'a' });
    const { out } = await run(['support']);
    expect(out).toContain('entry 0 ');
    expect(out).toContain('entry 299 ');
  });

  it('is made without a host, too, where none can start', async () => {
    await mark();
    await writeFile(database(), 'x'.repeat(5_000));
    const { out, code } = await run(['support'], marked);
    expect(code).toBe(0);
    expect(out).toContain('FAILED database');
    expect(out).toContain('the header was Authorization: •••');
    expect(out).not.toMatch(/marked-/i);
  });

  it('is shown before it is written, for its owner alone, and replaces no file unasked', async () => {
    const file = join(machine.home, '..', 'report.txt');
    const refused = await run(['support', '--output', file], {}, 'n\n');
    expect(refused.out).toContain('## Checks');
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('Nothing was written.')]);
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });

    const written = await run(['support', '--output', file], {}, 'y\n');
    expect(written.code).toBe(0);
    const text = await readFile(file, 'utf8');
    expect(text).toContain('## Checks');
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const again = await run(['support', '--output', file, '--json']);
    expect(JSON.parse(again.out)).toMatchObject({ error: { code: 'FILE_EXISTS' } });
    expect(await readFile(file, 'utf8')).toBe(text);
    await chmod(file, 0o644);
    expect((await run(['support', '--output', file, '--overwrite', '--yes'])).code).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});
