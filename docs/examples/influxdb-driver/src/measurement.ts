import { DriverError } from '@tabularium/sdk';
import type { Column, ColumnKind, TableDescription, TableRef } from '@tabularium/sdk';
import type { Series } from './answer.ts';
import type { InfluxServer } from './influxServer.ts';
import { identifier, isQuotable } from './influxql.ts';

/** The types of InfluxQL that a column can have. `time` and `tag` aren't types of fields, but filters treat them as such. */
export type ColumnClass = 'time' | 'tag' | 'string' | 'integer' | 'float' | 'boolean';

/** A column, and how a statement names it. */
export interface MeasurementColumn {
  readonly column: Column;
  readonly columnClass: ColumnClass;
  /** Quoted, with a suffix that separates a tag from a field of the same name. */
  readonly reference: string;
}

/** A measurement as it is now. The first column is the time. */
export interface Measurement {
  readonly ref: TableRef;
  /** Quoted, for FROM. */
  readonly source: string;
  readonly columns: readonly MeasurementColumn[];
}

const KINDS: Readonly<Record<ColumnClass, ColumnKind>> = {
  time: 'timestamp',
  tag: 'text',
  string: 'text',
  integer: 'integer',
  float: 'decimal',
  boolean: 'boolean',
};
/** Where parts of the data store a field under different types, the server reads the first of these. */
const PRECEDENCE = ['float', 'integer', 'string', 'boolean'] as const;

const NOT_EDITABLE = { allowed: false, reason: 'This driver only reads.' } as const;
const BY_TIME_ONLY = { allowed: false, reason: 'InfluxQL sorts by time only.' } as const;

/** The names in one column of an answer. */
export function namesIn(series: readonly Series[], column: string): string[] {
  return series.flatMap(({ columns, rows }) => {
    const index = columns.indexOf(column);
    return rows.flatMap((row) => {
      const name = row[index];
      return typeof name === 'string' ? [name] : [];
    });
  });
}

function notFound({ name }: TableRef): DriverError {
  return new DriverError('NOT_FOUND', `There is no measurement “${name}”.`);
}

/**
 * Asks for the fields and tags of a measurement.
 *
 * @throws DriverError `NOT_FOUND`
 */
export async function readMeasurement(server: InfluxServer, ref: TableRef, signal: AbortSignal): Promise<Measurement> {
  const [database, ...more] = ref.namespace;
  if (database === undefined || more.length > 0 || ![database, ref.name].every((name) => name !== '' && isQuotable(name)))
    throw notFound(ref);
  const where = `ON ${identifier(database)} FROM ${identifier(ref.name)}`;
  const fields = await server.read(`SHOW FIELD KEYS ${where}`, signal);
  const types = new Map<string, Set<string>>();
  const typeNames = namesIn(fields, 'fieldType');
  for (const [index, name] of namesIn(fields, 'fieldKey').entries()) {
    types.set(name, (types.get(name) ?? new Set()).add(typeNames[index] ?? ''));
  }
  if (types.size === 0) throw notFound(ref);
  const tags = new Set(namesIn(await server.read(`SHOW TAG KEYS ${where}`, signal), 'tagKey'));
  const columns = [
    timeColumn(),
    ...Array.from(tags, (name) => tagColumn(name, types.has(name))),
    ...Array.from(types, ([name, ofParts]) => fieldColumn(name, ofParts, tags.has(name))),
  ];
  return { ref, source: `${identifier(database)}..${identifier(ref.name)}`, columns: withUniqueNames(columns) };
}

function timeColumn(): MeasurementColumn {
  return {
    column: {
      name: 'time',
      kind: KINDS.time,
      type: 'time',
      nullable: false,
      editable: NOT_EDITABLE,
      sortable: { allowed: true },
      filterClass: 'time',
    },
    columnClass: 'time',
    reference: 'time',
  };
}

function tagColumn(name: string, isFieldToo: boolean): MeasurementColumn {
  return {
    column: {
      name: isFieldToo ? `${name}::tag` : name,
      kind: KINDS.tag,
      type: 'tag',
      nullable: true,
      editable: NOT_EDITABLE,
      sortable: BY_TIME_ONLY,
      ...(isQuotable(name) ? { filterClass: 'tag' } : {}),
      marks: [{ label: 'Tag', meaning: 'Indexed text' }],
    },
    columnClass: 'tag',
    reference: `${identifier(name)}::tag`,
  };
}

function fieldColumn(name: string, types: ReadonlySet<string>, isTagToo: boolean): MeasurementColumn {
  const columnClass = PRECEDENCE.find((type) => types.has(type)) ?? 'string';
  const others = [...types].filter((type) => type !== columnClass);
  return {
    column: {
      name: isTagToo ? `${name}::field` : name,
      kind: KINDS[columnClass],
      type: columnClass,
      nullable: true,
      editable: NOT_EDITABLE,
      sortable: BY_TIME_ONLY,
      filterClass: columnClass,
      ...(others.length === 0
        ? {}
        : {
            note: `Parts of the data store it as ${others.join(', ')}: these values are read as ${columnClass}, or are missing.`,
          }),
    },
    columnClass,
    reference: `${identifier(name)}::field`,
  };
}

/** A field may be called `x::tag`, too, while another `x` is both a tag and a field. */
function withUniqueNames(columns: readonly MeasurementColumn[]): MeasurementColumn[] {
  const seen = new Set<string>();
  return columns.map((one) => {
    let { name } = one.column;
    while (seen.has(name)) name += '′';
    seen.add(name);
    return name === one.column.name ? one : { ...one, column: { ...one.column, name } };
  });
}

/** The measurement for people. */
export function describe({ ref, columns }: Measurement): TableDescription {
  const tags = columns.filter(({ columnClass }) => columnClass === 'tag');
  return {
    ref,
    kind: 'table',
    columns: columns.map(({ column }) => column),
    // A point of one series has a time of its own, and the tags name the series.
    key: ['time', ...tags.map(({ column }) => column.name)],
    paging: 'offset',
    readsFromEnd: false,
    notes: ['Points are those of the database’s default retention policy, in the order of their time.'],
  };
}
