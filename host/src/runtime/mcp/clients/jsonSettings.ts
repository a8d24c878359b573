import { applyEdits, modify, parse } from 'jsonc-parser';
import type { ParseError } from 'jsonc-parser';
import type { SettingsEntry, SettingsOutcome } from './settingsEntry.ts';

/** Puts an entry into settings in JSON. Comments, commas at the end, order and line ends stay: editors have all of them in theirs. */
export function withJsonEntry(before: string, { key, name, entry }: SettingsEntry): SettingsOutcome {
  if (before.trim() === '') return { after: `${JSON.stringify({ [key]: { [name]: entry } }, null, 2)}\n` };
  const errors: ParseError[] = [];
  const settings: unknown = parse(before, errors, { allowTrailingComma: true });
  if (errors.length > 0) return { refused: "isn't valid JSON" };
  if (!isRecord(settings)) return { refused: 'holds no settings' };
  if (settings[key] !== undefined && !isRecord(settings[key])) return { refused: `has a "${key}" that is not a mapping` };
  const indent = /\n([ \t]+)\S/.exec(before)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: before.includes('\r\n') ? '\r\n' : '\n',
  };
  const after = applyEdits(before, modify(before, [key, name], entry, { formattingOptions }));
  return { after: after.endsWith('\n') ? after : `${after}${formattingOptions.eol}` };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
