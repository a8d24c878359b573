import { UsageError } from '../usageError.ts';

/** The names of `--columns`, separated by commas. @throws UsageError */
export function columnList(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.some((name) => name === '')) throw new UsageError('--columns takes names, separated by commas.');
  return names;
}
