import { wholeStart } from '@tabularium/sdk';
import type { Column, ColumnGeneration } from '@tabularium/sdk';
import { strings } from '../../i18n/index.ts';
import type { GridColumn } from './gridColumns.ts';

/** Of a comment and an expression in a tooltip. */
const MOST_CHARACTERS = 300;

/** How the database writes a column. */
function generationText({ kind, expression }: ColumnGeneration): string {
  const words = strings.tableParts;
  const how = words.generated[kind];
  return expression === undefined ? how : words.generatedAs(how, expression);
}

/** How a column gets its value where a new row has none; empty where the description doesn't say. */
export function presetText(column: Pick<Column, 'default' | 'generated'>): string {
  return column.generated === undefined ? (column.default ?? '') : generationText(column.generated);
}

/** Why a new row takes no value in a column; undefined where it takes one, or the description doesn't say. */
export function noValueText({ generated }: Pick<Column, 'generated'>): string | undefined {
  if (generated === undefined || generated.kind === 'identityByDefault') return undefined;
  return strings.tableParts.noValue(cut(generationText(generated)));
}

/** The value that the database gives a new row, for a cell without one; undefined where the description doesn't say. */
export function placeholderOf(column: Pick<Column, 'default' | 'generated'>): string | undefined {
  const text = presetText(column);
  return text === '' ? undefined : cut(text);
}

/** A column's header in sentences: its comment, where its values come from and lead, and the driver's note. */
export function headerText(
  column: Pick<GridColumn, 'comment' | 'default' | 'generated' | 'note' | 'refersTo'>,
): string | undefined {
  const words = strings.tableParts;
  const { comment, generated, note, refersTo } = column;
  const lines = [
    ...(comment === undefined ? [] : [cut(comment)]),
    ...(generated === undefined ? [] : [cut(generationText(generated))]),
    ...(column.default === undefined ? [] : [words.defaultOf(cut(column.default))]),
    ...(refersTo === undefined ? [] : [words.refersTo(refersTo)]),
    ...(note === undefined ? [] : [note]),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
}

function cut(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${wholeStart(text, MOST_CHARACTERS)}…`;
}
