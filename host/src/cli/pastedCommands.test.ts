import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../runtime/storage/database.ts';
import { Backups } from '../runtime/storage/backups.ts';
import { DATABASE_FILE, openHomeDatabase } from '../runtime/storage/homeDatabase.ts';
import { MIGRATIONS } from '../runtime/storage/migrations.ts';
import { SecretConfirmationError } from '../runtime/connections/secretConfirmation.ts';
import { HostError } from '../common/errors.ts';
import { FakeMachine, IMPORTED } from './cli.test-helper.ts';

// Commands that texts name are pasted: a shell must read from each the words that were meant, and nothing that runs.

const CODE = '0123456789abcdef'.repeat(2);
const ID = '0b1f7c1e-0f4f-4b0a-9d52-6f2b7c1e0f4f';
/** Names as a file of somebody else may have them. */
const TYPABLE = [
  'Shop',
  'Shop $(touch ran)',
  'Shop `touch ran`',
  'Shop"; touch ran; "',
  "it's; touch ran",
  "'$(touch ran)'",
  'a\\b\\',
  '!! $HOME ~ * | touch ran & #',
  '=ran',
  'Zażółć 数据',
];
/** Their characters can't be copied, or a command would take them for an option. */
const NOT_TYPABLE = ['Shop\n$(touch ran)', 'Shop\u001b[8m', 'Shop\u202e', '--help', '-'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-pasted-'));
  writeFileSync(join(folder, 'tabularium'), `#!/bin/sh\nfor word; do printf '%s\\0' "$word"; done > "$WORDS"\n`);
  chmodSync(join(folder, 'tabularium'), 0o700);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The words that the program gets of the command at the end of the first line that has one, as a shell reads it. */
function pasted(text: string): string[] {
  const [, command] = /(tabularium .*)/.exec(text) ?? [];
  if (command === undefined) throw new Error(`no command in ${text}`);
  const words = join(folder, 'words');
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, WORDS: words };
  execFileSync('/bin/sh', ['-c', command], { cwd: folder, env });
  expect(existsSync(join(folder, 'ran'))).toBe(false);
  return readFileSync(words, 'utf8').split('\0').slice(0, -1);
}

const asked = (connection: string) => ({
  ...{ connectionId: ID, connection, driver: { title: 'Acme' }, changes: [], code: CODE },
  newFiles: [{ field: 'file', label: 'File', path: '/tmp/$(touch ran) it\'s "x".db', reason: '', now: 'readWrite' as const }],
  newOrigins: [
    {
      ...{ id: 'x', label: '', reason: '' },
      now: { origins: ["https://x/$(touch%20ran)';$(touch$IFS'ran')"], verification: 'identity' as const },
    },
  ],
});

describe.each([...TYPABLE.map((name) => [name, true] as const), ...NOT_TYPABLE.map((name) => [name, false] as const)])(
  'a command for the connection %j',
  (name, isTypable) => {
    it('that asks for a confirmation', () => {
      const advice = new SecretConfirmationError(asked(name)).details.advice ?? '';
      expect(pasted(advice)).toEqual(['connections', 'confirm', isTypable ? name : ID]);
    });

    it('that an import and a confirmation print', async () => {
      await using machine = await FakeMachine.create();
      const file = join(folder, 'in.json');
      await machine.run(['connections', 'add', '--driver', 'fixture', '--name', 'Shop']);
      await machine.run(['connections', 'export', '--file', file]);
      machine.importedName = name;
      const { err } = await machine.run(['connections', 'import', file, '--on-conflict', 'rename']);
      expect(pasted(err)).toEqual(['connections', 'confirm', isTypable ? name : IMPORTED]);

      machine.secretQuestion = asked(name);
      const { out } = await machine.run(['connections', 'confirm', 'Shop']);
      const [origin = '', path = ''] = [asked(name).newOrigins[0]?.now.origins[0], asked(name).newFiles[0]?.path];
      const to = ['--to', origin, '--to', path];
      expect(pasted(out)).toEqual(['connections', 'confirm', isTypable ? name : ID, ...to, '--code', CODE]);
    });
  },
);

it.each(["it's $(touch ran) `touch ran`", 'a "b"; touch ran', 'plain'])(
  'the command that restores a backup in the folder %j',
  async (name) => {
    const home = join(folder, name);
    const backups = join(home, 'backups');
    mkdirSync(backups, { recursive: true });
    const log = { info: () => undefined, error: () => undefined };
    const file = join(home, DATABASE_FILE);
    {
      using database = new Database(file, MIGRATIONS);
      new Backups({ folder: backups, migrations: MIGRATIONS.map(({ id }) => id) }).createSync(database.connection, 'manual');
    }
    writeFileSync(file, 'damaged'.repeat(1_000));
    let advice = '';
    try {
      openHomeDatabase({ folder: home, backups, cache: join(home, 'cache') }, MIGRATIONS, log);
    } catch (error) {
      if (error instanceof HostError) advice = error.details.advice ?? '';
    }
    const [command, backup = ''] = pasted(advice);
    expect([command, existsSync(backup), backup.startsWith(backups)]).toEqual(['restore', true, true]);
  },
);
