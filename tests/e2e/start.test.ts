import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../scripts/paths.ts';
import { postgresFolder } from '../../scripts/postgres/postgresServer.ts';

// `npm start` as it is typed: what it prints, and that nothing of it is left when it is ended, in each of the ways in which it is ended.

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-start-'));
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

interface Started {
  readonly npm: ChildProcess;
  readonly addresses: readonly string[];
  /** The port of the sample database for PostgreSQL. */
  readonly postgres: number | undefined;
}

async function start(expected = 3): Promise<Started> {
  const npm = spawn('npm', ['start', '--', '--no-open', '--mcp-port', '0', '--local', join(folder, 'local')], {
    cwd: root,
    env: { ...process.env, TABULARIUM_HOME: join(folder, 'home') },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group, as a terminal makes one of a command.
    detached: true,
  });
  const addresses: string[] = [];
  let postgres: number | undefined;
  for await (const line of createInterface({ input: npm.stdout })) {
    const [, address] = /^ {2}(?:Window|MCP|Sample) +(http:\S+)/.exec(line) ?? [];
    if (address !== undefined) addresses.push(new URL(address).origin);
    const [, port] = /^ {2}Sample +127\.0\.0\.1:(\d+) /.exec(line) ?? [];
    if (port !== undefined) postgres = Number(port);
    if (line.startsWith('Ctrl-C')) break;
  }
  expect(addresses).toHaveLength(expected);
  return { npm, addresses, postgres };
}

async function expectNothingLeft({ addresses, postgres }: Started): Promise<void> {
  if (postgres !== undefined) {
    await expect.poll(() => isListening(postgres)).toBe(false);
    // Its server ends in good order, a moment after it has stopped listening: otherwise this file is left. As root it is elsewhere, in a folder that is gone.
    await expect.poll(() => existsSync(join(folder, 'local', 'Sample PostgreSQL', 'data', 'postmaster.pid'))).toBe(false);
  }
  for (const address of addresses) {
    await expect
      .poll(() =>
        fetch(address).then(
          () => 'answers',
          () => 'gone',
        ),
      )
      .toBe('gone');
  }
  // Both are removed while the host ends, one after the other.
  const announcements = async (): Promise<string[]> =>
    (await readdir(join(folder, 'home'))).filter((name) => ['mcp-handshake.json', 'host.json'].includes(name));
  await expect.poll(announcements).toEqual([]);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

const tablesSchema = z.object({ tables: z.array(z.object({ name: z.string(), rows: z.number().nullable() })) });

/** The output of a command; undefined if the command fails. */
async function command(...words: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, [join(root, 'host/bin/tabularium.mjs'), ...words, '--json'], {
    env: { ...process.env, TABULARIUM_HOME: join(folder, 'home') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await once(child, 'close');
  return output === '' ? undefined : (JSON.parse(output) as unknown);
}

describe('npm start', () => {
  it('ends cleanly on Ctrl-C, which a terminal sends to the whole group, and keeps what was saved for the next start', async () => {
    const first = await start();
    const ended = once(first.npm, 'exit');
    process.kill(-(first.npm.pid ?? 0), 'SIGINT');
    await ended;
    await expectNothingLeft(first);

    const second = await start();
    const { tables } = tablesSchema.parse(await command('tables', 'Sample cluster'));
    expect(tables).toContainEqual({ name: 'products', rows: 200_000 });
    const { connections } = z
      .object({ connections: z.array(z.looseObject({ name: z.string() })) })
      .parse(await command('connections', 'list'));
    const hasPostgres = postgresFolder() !== undefined;
    expect(connections.map(({ name }) => name).toSorted()).toEqual([
      'Sample cluster',
      ...(hasPostgres ? ['Sample database (PostgreSQL)'] : []),
      'Sample database (SQLite)',
    ]);
    // Once, though this is the second start.
    expect(await command('relevance', 'list')).toMatchObject({
      sets: [{ name: 'Everyday words', queries: 12, judgments: 2_606 }],
    });
    // Its driver leaves the sandbox, and that is for a person to allow.
    await command('tables', 'Sample database (SQLite)');
    await command('drivers', 'allow', 'sqlite', 'sqlite');
    const sample = tablesSchema.parse(await command('tables', 'Sample database (SQLite)'));
    expect(sample.tables).toContainEqual({ name: 'orders', rows: 6_000 });
    if (hasPostgres) {
      // The driver signs in with the password itself, and that is for a person to allow, too. Its server starts now.
      await command('tables', 'Sample database (PostgreSQL)');
      await command('drivers', 'allow', 'postgres', 'secrets');
      const shop = tablesSchema.parse(await command('tables', 'Sample database (PostgreSQL)'));
      expect(shop.tables).toContainEqual({ name: 'shop.books', rows: 1_200 });
      expect(shop.tables).toContainEqual({ name: 'warehouse.movements', rows: 30_000 });
    }
    // npm passes no signal on, so its child has to notice the end without one.
    second.npm.kill('SIGTERM');
    await expectNothingLeft(second);
  });

  it('shows the window of a host that was started for an AI client, and leaves that host to the client', async () => {
    const handshake = join(folder, 'home', 'mcp-handshake.json');
    const hidden = spawn(
      process.execPath,
      [join(root, 'host/bin/tabularium.mjs'), 'open-url', 'tabularium://integrations/start-mcp'],
      {
        env: { ...process.env, TABULARIUM_HOME: join(folder, 'home') },
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    try {
      await expect.poll(() => existsSync(handshake)).toBe(true);
      // Its window and its MCP server; the sample is not in that host, and nothing says that it was.
      const { npm, addresses } = await start(2);
      const [window = '', mcp = ''] = addresses;
      const { port } = z.looseObject({ port: z.number() }).parse(JSON.parse(await readFile(handshake, 'utf8')));
      expect(new URL(mcp).port).toBe(String(port));
      const ended = once(npm, 'exit');
      process.kill(-(npm.pid ?? 0), 'SIGINT');
      await ended;
      expect((await fetch(window)).status).toBeLessThan(500);
      expect(existsSync(handshake)).toBe(true);
    } finally {
      const gone = once(hidden, 'exit');
      hidden.kill('SIGTERM');
      await gone;
    }
  });
});
