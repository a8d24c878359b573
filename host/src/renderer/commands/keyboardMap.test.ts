import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { en } from '../i18n/en/index.ts';
import { COMMAND_GROUPS, KEY_MAP, keysOf } from '../../common/keyMap.ts';
import type { KeyId } from '../../common/keyMap.ts';
import { keysText } from './keys.ts';

const FILE = join(import.meta.dirname, '../../../../docs/reference/keyboard.md');
const ids = Object.keys(KEY_MAP) as KeyId[];
const text = (keys: readonly string[]): string => keys.map((chord) => `\`${keysText(chord, false)}\``).join(', ');

/** The documentation's page of all keys. */
async function page(): Promise<string> {
  const sections = COMMAND_GROUPS.map((group) => {
    const rows = ids
      .filter((id) => KEY_MAP[id].group === group)
      .map((id) => {
        const desktop = KEY_MAP[id].desktopKeys === undefined ? '' : text(keysOf(id, true));
        return `| ${en.commands.keyNames[id]} | ${text(keysOf(id, false))} | ${desktop} |`;
      });
    return rows.length === 0
      ? []
      : [`## ${en.commands.groups[group]}`, '', '| what | keys | in the desktop shell |', '| --- | --- | --- |', ...rows, ''];
  });
  const lines = [
    '# Keys',
    '',
    'Every key of the window; on a Mac, ⌘ stands for Ctrl. The window itself lists them under `?`, and its command palette under `Ctrl+K` finds what has no',
    'key. A browser keeps some keys for itself, so the desktop shell has others for those. How keys and commands are made is on the page of [the window](window.md#commands).',
    '',
    'This page is made from `host/src/common/keyMap.ts` by `vitest run host/src/renderer/commands/keyboardMap.test.ts -u`.',
    '',
    ...sections.flat(),
  ];
  return format(lines.join('\n'), { ...(await resolveConfig(FILE)), parser: 'markdown' });
}

describe('the page of keys', () => {
  it('is that of the keyboard map', async () => {
    await expect(await page()).toMatchFileSnapshot(FILE);
  });
});
