import { qualified, quoted } from '../names.ts';
import type { ColumnFacts, TableFacts } from './tableFacts.ts';

/** The statements that would make the table again, from the server's own texts. */
export function definitionOf(facts: TableFacts): string {
  const { ref, row, relkind, columns, constraints, indexes, triggers } = facts;
  const name = qualified(ref.namespace.at(-1) ?? '', ref.name);
  const query = row[6];
  if ((relkind === 'v' || relkind === 'm') && query !== null && query !== undefined) {
    const head = `CREATE ${relkind === 'm' ? 'MATERIALIZED ' : ''}VIEW ${name} AS`;
    return [`${head}\n${query}`, ...indexes.map(({ definition }) => `${definition};`)].join('\n\n');
  }
  const lines = [
    ...columns.map(columnLine),
    ...constraints.map((constraint) => `  CONSTRAINT ${quoted(constraint.name)} ${constraint.definition}`),
  ];
  const kind = relkind === 'f' ? 'FOREIGN TABLE' : row[13] === 'u' ? 'UNLOGGED TABLE' : 'TABLE';
  const partitioning = row[7];
  const table = `CREATE ${kind} ${name} (\n${lines.join(',\n')}\n)${partitioning === null || partitioning === undefined ? '' : ` PARTITION BY ${partitioning}`};`;
  return [
    table,
    ...indexes.filter(({ ofConstraint }) => !ofConstraint).map(({ definition }) => `${definition};`),
    ...triggers.map(({ definition }) => `${definition};`),
  ].join('\n\n');
}

function columnLine({ name, declared, notNull, preset, generated, identity }: ColumnFacts): string {
  const parts = [`  ${quoted(name)} ${declared}`];
  if (generated !== '') parts.push(`GENERATED ALWAYS AS (${preset ?? ''}) ${generated === 's' ? 'STORED' : 'VIRTUAL'}`);
  else if (identity !== '') parts.push(`GENERATED ${identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY`);
  else if (preset !== undefined) parts.push(`DEFAULT ${preset}`);
  if (notNull) parts.push('NOT NULL');
  return parts.join(' ');
}
