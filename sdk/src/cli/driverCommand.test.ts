import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLI_ERRORS } from './cliError.ts';
import { Author, manifest } from './cli.test-helper.ts';
import { ownPlatform } from './package/ownPlatform.ts';
import { COMMANDS } from './commands/index.ts';

const read = (page: string): string => readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
const page = read('reference/driver-command.md');

/** The text of the page below the heading of a command. */
function sectionOf(name: string): string {
  const start = page.indexOf(`\n## \`tabularium-driver ${name}\`\n`);
  expect(start, name).toBeGreaterThan(-1);
  const end = page.indexOf('\n## ', start + 1);
  return page.slice(start, end === -1 ? undefined : end);
}

/** A project with native files, whose checks and answers have everything. */
async function nativeAuthor(): Promise<Author> {
  const author = await Author.create();
  const unconfined = { reason: 'It computes in native code.', grants: ['addons'] };
  await author.change({ tabularium: { ...manifest, sdk: '^1.1', permissions: { unconfined }, platforms: [ownPlatform()] } });
  await author.write({ [`platforms/${ownPlatform()}/x.node`]: 'native code' });
  return author;
}

describe('the reference of the command', () => {
  it.each(COMMANDS.map((command) => [command.name, command] as const))('has "%s" with all its options', (name, command) => {
    const section = sectionOf(name);
    expect(section).toContain(`\`${name}`);
    for (const option of Object.keys(command.options)) expect(section).toContain(`--${option}`);
    // And no option that there is not.
    const usage = section.trim().split('\n\n')[1]?.split('→')[0] ?? '';
    const named = [...usage.matchAll(/--([a-z][a-z-]*)/g)].map(([, option = '']) => option);
    expect(named.filter((option) => !Object.hasOwn(command.options, option))).toEqual([]);
  });

  it('has every command, and none that there is not', () => {
    const named = [...page.matchAll(/^## `tabularium-driver (.+)`$/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  });

  it('replaces a file that an author names by --overwrite alone', () => {
    for (const { name, options } of COMMANDS) expect([name, 'overwrite' in options]).toEqual([name, 'output' in options]);
  });

  it('has every error', () => {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code]) => code);
    expect(rows.sort()).toEqual(Object.keys(CLI_ERRORS).sort());
  });

  it('has every check', async () => {
    await using author = await nativeAuthor();
    await author.run(['build']);
    const checks = (await author.json(['check']))['checks'] as { id: string }[];
    const rows = [...sectionOf('check').matchAll(/^\| `(\w+)`/gm)].map(([, id]) => id);
    expect(rows.sort()).toEqual(['project', 'contents', 'platformFiles', ...checks.map(({ id }) => id)].sort());
  });

  it('shows the members of what the commands print', async () => {
    await using author = await nativeAuthor();
    const shown = (name: string): string[] => {
      const [, shape = ''] = /→\s*`?\{([^`]*)\}/.exec(sectionOf(name)) ?? [];
      return [...shape.matchAll(/"(\w+)"/g)].map(([, member = '']) => member);
    };
    expect(Object.keys(await author.json(['build'])).filter((member) => !shown('build').includes(member))).toEqual([]);
    const key = await author.json(['keys', 'create', '--name', 'Acme', '--passphrase-env', 'PASSPHRASE']);
    expect(Object.keys(key)).toEqual(shown('keys create'));
    expect(Object.keys(await author.json(['pack', '--passphrase-env', 'PASSPHRASE'])).sort()).toEqual(shown('pack').sort());
  });
});

describe('the guide', () => {
  it('uses options that there are', () => {
    const guide = read('guide/publish-a-driver.md');
    const commands = [...guide.matchAll(/(?:npx )?tabularium-driver ((?:keys )?[a-z]+)([^`\n]*)/g)];
    expect(commands.length).toBeGreaterThanOrEqual(8);
    for (const [, name = '', rest = ''] of commands) {
      const command = COMMANDS.find((one) => one.name === name);
      expect(command, name).toBeDefined();
      const own = rest.split(' -- ')[0] ?? '';
      for (const [, option = ''] of own.matchAll(/--([a-z][a-z-]+)/g))
        expect(Object.keys(command?.options ?? {})).toContain(option);
    }
  });
});
