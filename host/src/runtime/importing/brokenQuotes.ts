import type { DelimitedField } from '../../common/delimitedText.ts';

const LINE_BREAK = /\r\n|[\r\n]/g;

/**
 * Why the quotation marks of a row don't pair. Its values may be those of several rows: taking them would lose rows without a sign of it.
 *
 * @param text - the row
 * @param nameOf - the name of a column, by its place
 */
export function brokenQuotes(
  text: string,
  fields: readonly DelimitedField[],
  nameOf: (index: number) => string,
): string | undefined {
  const index = fields.findIndex(({ broken }) => broken !== undefined);
  const broken = fields[index]?.broken;
  if (broken === undefined) return undefined;
  const lines = text.match(LINE_BREAK)?.length ?? 0;
  const swallowed =
    lines === 0
      ? ''
      : ` So the ${lines === 1 ? 'line' : `${lines} lines`} after it ${lines === 1 ? 'is' : 'are'} part of this row.`;
  const advice = 'In the file, double each quotation mark that belongs to a text ("").';
  return broken === 'unclosed'
    ? `The quotation mark before “${nameOf(index)}” has no end.${swallowed} ${advice}`
    : `Text follows the closing quotation mark of “${nameOf(index)}”.${swallowed} ${advice}`;
}
