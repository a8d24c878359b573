import type { Column } from '@tabularium/sdk';

/** The note and the marks of a column, for places that show text alone; undefined where it has neither. */
export function columnNote({ marks = [], note }: Pick<Column, 'marks' | 'note'>): string | undefined {
  const parts = [...(note === undefined ? [] : [note]), ...marks.map(({ label }) => `${label}.`)];
  return parts.length === 0 ? undefined : parts.join(' ');
}
