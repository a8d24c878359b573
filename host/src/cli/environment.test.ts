import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkupSchema } from '../common/checkup.ts';
import { builtRunner } from '../runtime/drivers/processes/processes.test-helper.ts';
import { MemoryStore } from '../../../tests/security/memoryStore.ts';
import { FakeMachine } from './cli.test-helper.ts';
import { realRuntime } from './realRuntime.test-helper.ts';

// With a real runtime and an environment that is wrong.

let machine: FakeMachine;
beforeAll(() => builtRunner());
beforeEach(async () => {
  machine = await FakeMachine.create();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await machine[Symbol.asyncDispose]();
});

const startRuntime = realRuntime(new MemoryStore());

async function run(words: readonly string[], variables: Record<string, string> = {}) {
  // Some parts read the variables of the process.
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const folder = join(machine.home, '..');
  return machine.run(words, {
    startRuntime,
    env: { HOME: folder, TABULARIUM_LOCAL_REGISTRY: join(folder, 'no-registry.json'), ...variables },
  });
}

const registriesCheck = (out: string) => checkupSchema.parse(JSON.parse(out)).checks.find(({ name }) => name === 'registries');

const BAD_REGISTRIES = [
  ...['garbage', 'http://', 'ftp://x/', '[]', 'https://registry.example:99999/', 'file:///etc/passwd'],
  ...[
    'http://127.0.0.1:9/,,http://127.0.0.1:8/',
    ',',
    'http://ada:MARKED@127.0.0.1:9/',
    'ada:MARKED@x',
    'http://127.0.0.1:9/?token=MARKED',
  ],
  ...['http://127.0.0.1:9/#MARKED', 'http://ada:MARKED', '\u001b[31m'],
];

describe("TABULARIUM_REGISTRIES with a value that isn't an address", () => {
  it.each(BAD_REGISTRIES)('is named, and what needs no registry works: %s', async (value) => {
    const bad = value.includes('ada:MARKED') && !value.includes('@') ? `${value}@` : value;
    const variables = { TABULARIUM_REGISTRIES: bad };
    expect(await run(['connections', 'list'], variables)).toMatchObject({ code: 0, err: '' });
    expect(await run(['drivers', 'list'], variables)).toMatchObject({ code: 0, err: '' });

    const installed = await run(['drivers', 'install', 'search'], variables);
    expect(installed.code).toBe(1);
    const shown =
      bad
        .split(/MARKED|@|[?#]/)[0]
        ?.replace(/ada:$/, '')
        .replace('\u001b', '') ?? '';
    const { out } = await run(['doctor', '--json'], variables);
    const check = registriesCheck(out);
    expect(check?.ok).toBe(false);
    const updated = await run(['drivers', 'update'], variables);
    expect(updated.out).not.toContain('up to date');
    for (const text of [installed.err, `${check?.finding} ${check?.advice}`, updated.err]) {
      expect(text).toContain('TABULARIUM_REGISTRIES has "');
      expect(text).toContain(shown);
      expect(text).not.toMatch(/MARKED|internal error|\u001b/);
    }
    for (const text of [installed.err, `${check?.advice}`]) expect(text).toContain('Correct TABULARIUM_REGISTRIES');
  });

  it('keeps the other entries', async () => {
    const { out } = await run(['drivers', 'registries', 'list', '--json'], {
      TABULARIUM_REGISTRIES: 'garbage http://127.0.0.1:9/',
    });
    expect(JSON.parse(out)).toMatchObject({ registries: [{ url: 'http://127.0.0.1:9/', from: 'environment' }] });
  });
});

describe('a value of the environment that makes no sense', () => {
  // Not TABULARIUM_HOME: of a folder that it names, the host makes a data directory.
  const NAMES = [
    ...['TABULARIUM_LOCAL_REGISTRY', 'TABULARIUM_REGISTRIES', 'TABULARIUM_REGISTER_URL'],
    ...['TABULARIUM_SAMPLE_CONNECTION', 'TABULARIUM_SECRET_X', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'],
    ...['SSL_CERT_FILE', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL'],
    ...['DBUS_SESSION_BUS_ADDRESS', 'CREDENTIALS_DIRECTORY', 'DISPLAY', 'SSH_AUTH_SOCK'],
  ];
  const VALUES = [
    '',
    ' ',
    'garbage',
    '/nonexistent/at/all',
    '/dev/null',
    '/proc/self/none',
    'http://',
    '[]',
    '\u001b[31m%00',
    '~',
    'x'.repeat(5_000),
  ];

  it.each(NAMES)(
    'is never an internal error: %s',
    async (name) => {
      for (const value of VALUES) {
        for (const words of [['doctor'], ['connections', 'list']]) {
          const { out, err } = await run(words, { [name]: value });
          expect(`${name}=${value} ${words.join(' ')}: ${out}${err}`).not.toMatch(/internal error/i);
        }
        vi.unstubAllEnvs();
      }
    },
    60_000,
  );

  it('is never one where a registry of TLS is asked', async () => {
    await mkdir(join(machine.home, '..', 'files'), { recursive: true });
    const file = join(machine.home, '..', 'files', 'garbage.pem');
    await writeFile(file, '-----BEGIN CERTIFICATE-----\ngarbage\n');
    for (const value of [file, join(file, 'x'), '/', '/dev/null', 'garbage']) {
      const { err, code } = await run(['drivers', 'install', 'search'], {
        TABULARIUM_REGISTRIES: 'https://127.0.0.1:9/',
        SSL_CERT_FILE: value,
      });
      expect(code).toBe(1);
      expect(`${value}: ${err}`).not.toMatch(/internal error/i);
    }
  });
});

describe('a TABULARIUM_HOME that can be no data directory', () => {
  it('is never an internal error', async () => {
    const folder = join(machine.home, '..');
    const file = join(folder, 'file');
    await writeFile(file, 'x');
    for (const value of [file, join(file, 'below'), '/dev/null', '/proc/self/none', join(folder, 'x'.repeat(5_000))]) {
      for (const words of [['doctor'], ['connections', 'list']]) {
        const { out, err, code } = await run(words, { TABULARIUM_HOME: value });
        expect(code).toBe(1);
        expect(`${value}: ${out}${err}`).not.toMatch(/internal error/i);
      }
    }
  });
});

describe('a registry that answers 404 for everything', () => {
  it('is not taken for one that has nothing newer', async () => {
    const server = createServer((_request, response) => response.writeHead(404).end('{"error":"not found"}'));
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/nothing/`;
      const variables = { TABULARIUM_REGISTRIES: url };
      const check = registriesCheck((await run(['doctor', '--json'], variables)).out);
      expect(check).toMatchObject({ ok: false, finding: expect.stringContaining('npm registry') as string });
      const searched = await run(['drivers', 'search'], variables);
      expect(searched.err).toContain('npm registry');
      const updated = await run(['drivers', 'update'], variables);
      expect(updated.err).toContain('npm registry');
      expect(updated.out).not.toContain('up to date');
    } finally {
      server.close();
    }
  });
});

describe('drivers registries add', () => {
  it.each(['http://127.0.0.1:9/?token=MARKED', 'http://127.0.0.1:9/#MARKED', 'http://ada:MARKED@127.0.0.1:9/'])(
    'refuses what it would drop: %s',
    async (url) => {
      const { code, err } = await run(['drivers', 'registries', 'add', url]);
      expect(code).toBe(1);
      expect(err).toContain("isn't the address of a registry");
      expect(err).not.toContain('MARKED');
    },
  );
});
