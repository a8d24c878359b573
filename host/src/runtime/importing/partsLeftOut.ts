import type { TableDescription } from '@tabularium/sdk';
import type { LeftOut } from '../../common/imports.ts';

/** Names of one part that a plan lists; of more, there is the count. */
const MOST_NAMES = 20;

/**
 * The parts of a table that its copy doesn't get, by the source's description: rows are copied, and a definition has as much as it says.
 *
 * @param definition - of the copy
 * @param isLike - whether it was made from the definition of the source, whose constraints it has
 */
export function partsLeftOut(source: TableDescription, definition: string, isLike: boolean): readonly LeftOut[] {
  const { columns, indexes = [], foreignKeys = [], triggers = [], comment, ref } = source;
  const has = (text: string): boolean => flat(definition).includes(flat(text));
  const isNumbered = /\b(?:IDENTITY|AUTOINCREMENT)\b/i.test(definition);
  const refersToOthers = /\bREFERENCES\b/i.test(definition);
  const made = flat(source.definition?.text ?? '');
  const isConstraint = (name: string): boolean => !made.includes(`INDEX ${name} `) && !made.includes(`INDEX "${name}" `);
  const isDefault = (preset: string): boolean => !isLike || (/\bnextval\(/i.test(preset) && !/\bnextval\(/i.test(definition));
  const lost: readonly (readonly [LeftOut['part'], readonly string[]])[] = [
    [
      'identity',
      columns.flatMap(({ name, generated }) => (generated?.kind.startsWith('identity') === true && !isNumbered ? [name] : [])),
    ],
    [
      'computed',
      columns.flatMap(({ name, generated }) =>
        generated === undefined || generated.kind.startsWith('identity') || has(generated.expression ?? '\0') ? [] : [name],
      ),
    ],
    ['defaults', columns.flatMap((column) => (column.default !== undefined && isDefault(column.default) ? [column.name] : []))],
    ['foreignKeys', refersToOthers ? [] : foreignKeys.map(({ name, columns: own }) => name ?? own.join(', '))],
    ['indexes', indexes.flatMap(({ name, primary }) => (primary === true || (isLike && isConstraint(name)) ? [] : [name]))],
    ['triggers', triggers.map(({ name }) => name)],
    [
      'comments',
      [
        ...(comment === undefined ? [] : [ref.name]),
        ...columns.flatMap((column) => (column.comment === undefined ? [] : [column.name])),
      ],
    ],
  ];
  return lost.flatMap(([part, names]) =>
    names.length === 0 ? [] : [{ part, names: names.slice(0, MOST_NAMES), count: names.length }],
  );
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
