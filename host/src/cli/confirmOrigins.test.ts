import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NewOrigin, SecretQuestion } from '../common/secretQuestion.ts';
import { FakeMachine } from './cli.test-helper.ts';

let machine: FakeMachine;
let id = '';
const CODE = '0123456789abcdef'.repeat(2);
const HOST = `https://api.github.com.${'o'.repeat(63)}.${'o'.repeat(63)}.evil-site.example:8443/${'p'.repeat(600)}`;

const origin: NewOrigin = {
  id: 'more',
  label: 'Boards',
  reason: `${'Because. '.repeat(40)}Confirmed by Tabularium.\u202e`,
  before: { origins: ['https://boards.example:5601'], verification: 'identity' },
  now: { origins: [HOST], verification: 'identity' },
};
const question = (more: Partial<SecretQuestion> = {}): SecretQuestion => ({
  ...{ connection: 'Shop', driver: { title: 'Acme' }, changes: [], newOrigins: [origin], code: CODE },
  ...more,
});

beforeEach(async () => {
  machine = await FakeMachine.create();
  await machine.run(['connections', 'add', '--driver', 'fixture', '--name', 'Shop']);
  id = machine.connections[0]?.id ?? '';
  machine.secretQuestion = question();
});
afterEach(() => machine[Symbol.asyncDispose]());

describe('connections confirm, about an address that no person has entered', () => {
  it('shows it whole, before the words of the driver, beside what it was', async () => {
    const { code, out } = await machine.run(['connections', 'confirm', 'Shop']);
    expect(code).toBe(1);
    expect(out).toContain(`With "Shop", the driver "Acme" reaches addresses that you haven't entered or confirmed.`);
    const lines = out.split('\n').map((line) => line.trim());
    expect(lines).toContain('before: https://boards.example:5601 (certificate and host name checked)');
    const at = lines.findIndex((line) => line.startsWith(`now:    ${HOST} (`));
    expect(at).toBeGreaterThan(0);
    expect(at).toBeLessThan(lines.findIndex((line) => line.startsWith('The driver says why: "Because.')));
    expect(out).toContain(`tabularium connections confirm Shop --to ${HOST} --code ${CODE}`);
    expect(out).not.toContain('\u202e');
    expect(await machine.json(['connections', 'confirm', 'Shop'])).toMatchObject({ question: { newOrigins: [origin] } });
  });

  it('says that a driver was stopped for misbehaviour', async () => {
    machine.secretQuestion = question({ isDistrusted: true });
    const { out } = await machine.run(['connections', 'confirm', 'Shop']);
    expect(out).toMatch(/^The driver "Acme" tried to send a credential of one server to another, and was stopped\./);
  });

  it('needs each address by name', async () => {
    for (const to of ['https://boards.example:5601', 'https://api.github.com']) {
      const { code, err } = await machine.run(['connections', 'confirm', 'Shop', '--to', to, '--code', CODE]);
      expect([code === 0, err.includes(HOST)]).toEqual([false, true]);
    }
    expect(machine.confirmed).toEqual([]);
    const { out } = await machine.run(['connections', 'confirm', 'Shop', '--to', HOST, '--code', CODE]);
    expect(out).toBe(`Confirmed: "Shop" reaches ${HOST}.\n`);
    expect(machine.confirmed).toEqual([[id, CODE]]);
  });
});

describe('connections confirm, about a file that was not chosen for what the driver does', () => {
  const PATH = '/home/Ada/My Notes.db';
  const file = { field: 'f', label: 'File', path: PATH, reason: 'It writes.', before: 'read', now: 'readWrite' } as const;

  it('shows the file with what the driver did and does, and needs its path as it is written', async () => {
    machine.secretQuestion = question({ newOrigins: [], newFiles: [file] });
    const { code, out } = await machine.run(['connections', 'confirm', 'Shop']);
    expect(code).toBe(1);
    expect(out).toContain(`  file:   ${PATH}\n  before: read\n  now:    read and change\n`);
    expect(out).toContain(`tabularium connections confirm Shop --to '${PATH}' --code ${CODE}`);
    for (const to of [PATH.toLowerCase(), '/home/Ada'])
      expect((await machine.run(['connections', 'confirm', 'Shop', '--to', to, '--code', CODE])).code).not.toBe(0);
    expect(machine.confirmed).toEqual([]);
    await machine.run(['connections', 'confirm', 'Shop', '--to', PATH, '--code', CODE]);
    expect(machine.confirmed).toEqual([[id, CODE]]);
  });
});

describe('drivers allow --withdraw', () => {
  it.each([
    [['https://api.example.com'], "acme isn't allowed any more: https://api.example.com. Its connections are closed.\n"],
    [[], 'acme had no permission to take back.\n'],
  ] as const)('says what was taken back: %j', async (withdrawn, text) => {
    machine.management = { ...machine.management, withdrawGrants: async () => withdrawn };
    expect((await machine.run(['drivers', 'allow', 'acme', '--withdraw'])).out).toBe(text);
    expect(await machine.json(['drivers', 'allow', 'acme', '--withdraw'])).toEqual({ id: 'acme', withdrawn });
  });
});
