import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CliError } from '../cliError.ts';
import { Author } from '../cli.test-helper.ts';
import { homeFolder } from './homeFolder.ts';
import { findHost } from './hostLink.ts';
import { SourceWatch } from './sourceWatch.ts';

let folder: string;
const servers: Server[] = [];
const { signal } = new AbortController();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-dev-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.closeAllConnections();
  await rm(folder, { recursive: true, force: true });
});

const KEY = 'a'.repeat(64);

/** The answer to a call: a value; of the one that follows, its events. */
type Answer = (procedure: string, input: unknown) => unknown;

/** A host as far as tools need one. */
async function fakeHost(
  options: { key?: string; lifetime?: string; protocol?: number; home?: string; answer?: Answer } = {},
): Promise<void> {
  const { key = KEY, lifetime = 'host', protocol = 2, home, answer = () => null } = options;
  const socket = join(folder, 'host.sock');
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      if (request.url === '/hello') {
        const proof = createHmac('sha256', key)
          .update(`tabularium host ${String(request.headers['tabularium-challenge'])}`)
          .digest('hex');
        response.end(JSON.stringify({ protocol, proof, version: '9.9.9' }));
        return;
      }
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://host');
      const procedure = pathname.replace('/api/trpc/', '');
      if (request.method === 'GET') {
        const events = answer(procedure, JSON.parse(searchParams.get('input') ?? '')) as readonly unknown[];
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('event: connected\ndata: {}\n\n');
        // In two parts: an event may be cut anywhere.
        const [first = '', ...rest] = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
        response.write(first);
        setTimeout(() => response.write(rest.join('')), 10);
        return;
      }
      const data = answer(procedure, JSON.parse(body));
      const refused =
        data instanceof CliError ? { report: { code: 'X', message: data.message, advice: data.advice } } : undefined;
      response.end(JSON.stringify(refused === undefined ? { result: { data } } : { error: { data: refused } }));
    });
  });
  servers.push(server);
  server.listen(socket);
  await once(server, 'listening');
  await writeFile(join(folder, 'host.json'), JSON.stringify({ version: 1, pid: 1, socket, key: KEY, lifetime, home }));
}

describe('a running host', () => {
  it('is found by its file, and answers calls', async () => {
    await fakeHost({ answer: (procedure, input) => ({ procedure, input }) });
    const host = await findHost(folder, signal);
    expect(host?.version).toBe('9.9.9');
    expect(await host?.run('x', { y: 1 }, { signal })).toEqual({ procedure: 'x', input: { y: 1 } });
  });

  it('refuses in its own words', async () => {
    await fakeHost({ answer: () => new CliError('HOST_REFUSED', 'It is no driver.', 'Build it.') });
    const host = await findHost(folder, signal);
    await expect(host?.run('x', {}, { signal })).rejects.toMatchObject({
      code: 'HOST_REFUSED',
      message: 'It is no driver.',
      advice: 'Build it.',
      facts: { hostCode: 'X' },
    });
  });

  it.each([
    ['nothing is there', async () => undefined],
    ['only a file is left', async () => writeFile(join(folder, 'host.json'), '{}')],
    ['somebody else has taken its place', () => fakeHost({ key: 'b'.repeat(64) })],
    ['the file was copied from another home', () => fakeHost({ home: '/the/original' })],
    ['it is a command that ends at once', () => fakeHost({ lifetime: 'command' })],
  ])('is none when %s', async (_name, prepare) => {
    await prepare();
    expect(await findHost(folder, signal)).toBeUndefined();
  });

  it('of another protocol is refused', async () => {
    await fakeHost({ protocol: 1 });
    await expect(findHost(folder, signal)).rejects.toMatchObject({ code: 'HOST_REFUSED' });
  });

  it('is looked for where the platform keeps homes', () => {
    expect(homeFolder({ TABULARIUM_HOME: '/h' })).toBe('/h');
    expect(homeFolder({ TABULARIUM_HOME: '~/h' }, 'linux', '/home/me')).toBe('/home/me/h');
    expect(homeFolder({}, 'darwin', '/u')).toBe('/u/Library/Application Support/Tabularium');
    expect(homeFolder({}, 'linux', '/u')).toBe('/u/.local/share/tabularium');
    expect(homeFolder({ XDG_DATA_HOME: '/d' }, 'linux', '/u')).toBe('/d/tabularium');
  });
});

describe('the watch', () => {
  it.each<[string, () => Promise<void>]>([
    ['a file that is written', () => writeFile(join(folder, 'src/index.ts'), '2')],
    [
      'a file that is replaced',
      async () => {
        await writeFile(join(folder, 'new'), '2');
        await rename(join(folder, 'new'), join(folder, 'src/index.ts'));
      },
    ],
    ['a file in a folder below', () => writeFile(join(folder, 'src/below/x.ts'), '2')],
    ['package.json', () => writeFile(join(folder, 'package.json'), '{}')],
  ])('notices %s', async (_name, change) => {
    await mkdir(join(folder, 'src/below'), { recursive: true });
    await writeFile(join(folder, 'src/index.ts'), '1');
    const reported = vi.fn();
    const watch = new SourceWatch(folder, join(folder, 'src/index.ts'), reported);
    try {
      await change();
      await vi.waitFor(() => expect(reported).toHaveBeenCalled(), { timeout: 120_000 });
    } finally {
      watch.close();
    }
  });

  it('ignores everything else in the project', async () => {
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'src/index.ts'), '1');
    const reported = vi.fn();
    const watch = new SourceWatch(folder, join(folder, 'src/index.ts'), reported);
    try {
      await writeFile(join(folder, 'notes.txt'), 'x');
      await writeFile(join(folder, 'src/index.ts'), '2');
      await vi.waitFor(() => expect(reported).toHaveBeenCalledTimes(1), { timeout: 120_000 });
    } finally {
      watch.close();
    }
  });
});

describe('dev', () => {
  it('builds, notifies the host, and prints its response', async () => {
    await using author = await Author.create();
    const built: unknown[] = [];
    await fakeHost({
      answer: (procedure, input) => {
        if (procedure === 'owner.drivers.develop') return [null, { level: 'error', message: 'oh' }];
        built.push(input);
        const { problems } = input as { problems: unknown[] };
        return problems.length > 0 ? null : { driver: 'shelf', version: '1.2.3+folder.1', sessions: [{ connection: 'Mine' }] };
      },
    });
    const ending = new AbortController();
    let out = '';
    const running = author.run(['dev', '--json', '--home', folder], { signal: ending.signal, onOutput: (all) => (out = all) });
    const events = (): unknown[] => out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
    const seen = (event: object) =>
      vi.waitFor(() => expect(events()).toContainEqual(expect.objectContaining(event)), { timeout: 120_000 });
    await seen({ event: 'built', entry: 'dist/index.js' });
    await seen({ event: 'loaded', driver: 'shelf', sessions: [{ connection: 'Mine' }] });
    await seen({ event: 'log', level: 'error', message: 'oh' });
    await author.write({ 'src/answer.ts': 'export const answer = ;\n' });
    await seen({ event: 'buildFailed' });
    await vi.waitFor(
      () =>
        expect(built.at(-1)).toMatchObject({
          folder: author.folder,
          problems: [{ file: join(author.folder, 'src/answer.ts'), line: 1 }],
        }),
      { timeout: 120_000 },
    );
    ending.abort();
    expect(await running).toMatchObject({ code: 0 });
    expect(events().at(-1)).toEqual({ event: 'stopped' });
  });

  it('says that no host runs, and what to do', async () => {
    await using author = await Author.create();
    const ending = new AbortController();
    const { code, out } = await author.run(['dev', '--home', folder], {
      signal: ending.signal,
      onOutput: (all) => all.includes('does not run') && ending.abort(),
    });
    expect(code).toBe(0);
    expect(out).toContain('tabularium serve');
  });

  it('asks for an inspector, and prints its address', async () => {
    await using author = await Author.create();
    const asked: unknown[] = [];
    const address = 'ws://127.0.0.1:9229/0b4c1c1e-8e0e-4a55-9b5d-2a8b8a6d7f10';
    await fakeHost({
      answer: (procedure, input) => {
        if (procedure !== 'owner.drivers.develop') return { driver: 'shelf', version: '1', sessions: [], inspects: true };
        asked.push(input);
        return [null, { level: 'info', message: `Debugger listening on ${address}`, inspector: address }];
      },
    });
    const ending = new AbortController();
    const { code, out } = await author.run(['dev', '--inspect', '--home', folder], {
      signal: ending.signal,
      onOutput: (all) => all.includes(address) && ending.abort(),
    });
    expect(code).toBe(0);
    expect(asked).toEqual([{ folder: author.folder, inspectorPort: 9_229 }]);
    expect(out).toContain(`attach to ${address}`);
  });

  it('warns when the inspector listens on another port than the one that was asked for', async () => {
    await using author = await Author.create();
    const address = 'ws://127.0.0.1:9300/0b4c1c1e-8e0e-4a55-9b5d-2a8b8a6d7f10';
    await fakeHost({
      answer: (procedure) =>
        procedure === 'owner.drivers.develop'
          ? [null, { level: 'info', message: 'x', inspector: address }]
          : { driver: 'shelf', version: '1', sessions: [], inspects: true },
    });
    const ending = new AbortController();
    const { out } = await author.run(['dev', '--inspect-port', '9229', '--home', folder], {
      signal: ending.signal,
      onOutput: (all) => all.includes(address) && ending.abort(),
    });
    expect(out).toContain('Port 9229 is taken, so the inspector listens on port 9300.');
  });

  it('says when the host is too old for an inspector', async () => {
    await using author = await Author.create();
    await fakeHost({
      answer: (procedure) => (procedure === 'owner.drivers.develop' ? [null] : { driver: 'shelf', version: '1', sessions: [] }),
    });
    const ending = new AbortController();
    const { out } = await author.run(['dev', '--inspect-port', '0', '--home', folder], {
      signal: ending.signal,
      onOutput: (all) => all.includes('Update it') && ending.abort(),
    });
    expect(out).toContain("Tabularium 9.9.9 can't run a driver with an inspector");
    expect(await author.run(['dev', '--inspect-port', 'x'])).toMatchObject({
      code: 2,
      err: expect.stringContaining("isn't a port") as string,
    });
  });

  it('prints errors of types with their places, and builds all the same', async () => {
    await using author = await Author.create();
    await author.write({
      'tsconfig.json': {
        compilerOptions: { strict: true, noEmit: true, types: [], module: 'nodenext', allowImportingTsExtensions: true },
        include: ['src'],
      },
    });
    const events = async (until: string): Promise<Record<string, unknown>[]> => {
      const ending = new AbortController();
      const { out } = await author.run(['dev', '--json', '--home', folder], {
        signal: ending.signal,
        onOutput: (all) => all.includes(until) && ending.abort(),
      });
      return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
    };
    expect(await events('"notTyped"')).toContainEqual({
      event: 'notTyped',
      reason: 'TypeScript is not installed in this project.',
    });
    await author.install('typescript', '@typescript/native');
    await author.write({ 'src/answer.ts': "export const answer: number = 'forty-two';\n" });
    const found = await events('"typed"');
    expect(found).toContainEqual(expect.objectContaining({ event: 'built' }));
    expect(found.find(({ event }) => event === 'typed')).toMatchObject({
      problems: [
        { file: join(author.folder, 'src/answer.ts'), line: 1, column: 14, message: expect.stringContaining('TS2322') as string },
      ],
      message: expect.stringContaining('src/answer.ts:1:14: TS2322') as string,
    });
  });
});
