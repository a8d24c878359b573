import { listOfNames } from '@tabularium/sdk';
import type { Column, ImportFacet, ImportTarget } from '@tabularium/sdk';
import { HostError } from '../../common/errors.ts';
import { hostSentence } from '../../common/hostSentences.ts';
import type { ImportField } from '../../common/imports.ts';
import { exactMembers } from './exactJson.ts';
import type { PreparedSource } from './prepareSource.ts';
import { sampleDocuments } from './previewOf.ts';
import { typedOr } from '../../common/typedOr.ts';

/** Characters of a name in the example of an option. */
const LONGEST_EXAMPLE = 60;

interface Rows {
  readonly prepared: PreparedSource;
  readonly fields: readonly ImportField[] | undefined;
  /** Of the table; none where its structure can't be read. */
  readonly columns: readonly Column[];
}

/**
 * Refuses rows with a column that the table lacks before the first one is sent: each of them would be rejected for the same reason, a million of them one
 * by one. Some databases learn columns from rows, so the driver is asked about each name. A few rows with a name of their own are rejected alone.
 *
 * @throws HostError `INVALID_REQUEST` naming the columns
 */
export async function requireKnownColumns(
  facet: ImportFacet,
  target: ImportTarget,
  { prepared, fields, columns }: Rows,
  signal: AbortSignal,
): Promise<void> {
  if (columns.length === 0) return;
  const known = new Set(columns.map(({ name }) => name));
  const isDelimited = prepared.format.format === 'csv';
  const rows = sampleDocuments(prepared, fields).map((text) =>
    [...(exactMembers(text) ?? [])].filter(([name, value]) => !known.has(name) && !(isDelimited && value === null)),
  );
  const unknown = new Map(rows.flat());
  const names = [...unknown.keys()];
  if (names.length === 0) return;
  const alone = names.map((name) => `{${JSON.stringify(name)}:${JSON.stringify(unknown.get(name))}}`);
  const problems = await facet.check(target, alone, { signal });
  const lacking = new Set(
    problems.flatMap(({ index, column }) => (column !== undefined && column === names[index] ? column : [])),
  );
  const rejects = (row: (typeof rows)[number]): boolean => row.some(([name]) => lacking.has(name));
  // The columns of a csv file are those of all its rows.
  if (!(isDelimited ? rows.some(rejects) : rows.every(rejects))) return;
  const [example = ''] = lacking;
  // The first = ends the name.
  const source = example.length <= LONGEST_EXAMPLE && !example.includes('=') ? example : '';
  const [leaving, choosing] = source === '' ? ['', ''] : [`${source}=`, `${source}=column`];
  throw new HostError(
    'INVALID_REQUEST',
    hostSentence('importColumnsLacking', { names: listOfNames([...lacking].map((name) => `“${name}”`)) }),
    {
      details: {
        advice: `Leave it out or choose another column for it (on the command line, --map ${typedOr(leaving, 'NAME=')} or --map ${typedOr(choosing, 'NAME=column')}), or create a table for the file (--create).`,
        field: example,
      },
    },
  );
}
