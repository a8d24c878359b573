import { NO_FILTER, isDriverError } from '@tabularium/sdk';
import type { Column, ImportFacet, TableRef } from '@tabularium/sdk';
import type { ImportField, ImportFormatChoice, PreviewRowImport, RowImportPreview } from '../../common/imports.ts';
import type { ErrorReport } from '../../common/errorReport.ts';
import type { OpenSession, Sessions } from '../data/sessions.ts';
import { errorReport } from '../errors/errorReport.ts';
import { targetColumns, modeOf, useImport } from './importTarget.ts';
import { prepareSource } from './prepareSource.ts';
import type { PreparableFile, PreparedSource } from './prepareSource.ts';
import { partsLeftOut } from './partsLeftOut.ts';
import { previewOf, sampleDocuments } from './previewOf.ts';
import { requireOtherTable } from './requireOtherTable.ts';
import { textFields } from './textFields.ts';
import type { TableSample } from './tableSource.ts';

/** The rows of an import that are looked at. */
export interface PreviewedRows {
  readonly file: PreparableFile;
  readonly name: string;
  readonly bytes: number;
  readonly format: ImportFormatChoice | undefined;
  /** Of a table. */
  readonly sample?: TableSample;
}

type Mapping = readonly ImportField[] | undefined;

/** The effect of an import, by its first rows. Nothing is written. */
export async function previewImport(
  sessions: Pick<Sessions, 'use'>,
  request: Pick<PreviewRowImport, 'connectionId' | 'table' | 'mode' | 'create' | 'source'>,
  mapping: Mapping,
  { file, name, bytes, format, sample }: PreviewedRows,
  signal: AbortSignal,
): Promise<RowImportPreview> {
  const { connectionId, table, mode, create } = request;
  return useImport(sessions, connectionId, signal, async (facet, session, _connection, driverId) => {
    if (sample !== undefined) await requireOtherTable(request, sample, session, signal);
    const form = create ? undefined : await facet.form(table, { signal });
    const columns: readonly Column[] = create ? [] : await targetColumns(session, table, signal);
    const prepared = await prepareSource(file, format, columns, signal);
    const isCopied = sample?.driverId === driverId;
    const proposed = create ? await definitionOf(facet, table, prepared, mapping, isCopied ? sample : undefined, signal) : {};
    const { problem } = proposed;
    const suggested =
      proposed.suggested ??
      (mapping === undefined
        ? withoutComputed(sample === undefined ? undefined : textFields(prepared, columns), prepared, columns)
        : undefined);
    const used = mapping ?? suggested;
    const target = form === undefined ? undefined : { table, mode: modeOf(form, mode) };
    const check = target === undefined ? undefined : (rows: readonly string[]) => facet.check(target, rows, { signal });
    return {
      name,
      bytes,
      format: prepared.format,
      columns: columns.map((column) => column.name),
      ...(form === undefined ? {} : { form }),
      ...(await previewOf(prepared, used, check)),
      ...(proposed.definition === undefined ? {} : { definition: proposed.definition }),
      ...(problem === undefined ? {} : { definitionProblem: problem }),
      ...(suggested === undefined ? {} : { suggested: [...suggested] }),
      ...(sample === undefined ? {} : { copy: await copyOf(sample, proposed, create ? undefined : table, session, signal) }),
    };
  });
}

/** Values of computed columns, such as in an export of the same table, would have each row rejected: they are left out unless a person says otherwise. */
function withoutComputed(fields: Mapping, prepared: PreparedSource, columns: readonly Column[]): Mapping {
  const computed = new Set(
    columns.flatMap(({ name, generated }) => (generated?.kind === 'stored' || generated?.kind === 'virtual' ? name : [])),
  );
  const used = fields ?? prepared.fields;
  const isComputed = ({ source, target }: ImportField): boolean => target !== null && computed.has(target ?? source);
  return used.some(isComputed)
    ? used.map((field): ImportField => (isComputed(field) ? { source: field.source, target: null } : field))
    : fields;
}

interface Proposed {
  readonly definition?: string;
  readonly isLike?: boolean;
  readonly suggested?: readonly ImportField[];
  /** Why there is no definition. A person who sees the columns can rename one, or leave it out. */
  readonly problem?: ErrorReport;
}

/** The definition of a table for the rows: that of the source where both are of one driver, else one by what they hold. */
async function definitionOf(
  { tables }: ImportFacet,
  table: TableRef,
  prepared: PreparedSource,
  mapping: Mapping,
  copied: TableSample | undefined,
  signal: AbortSignal,
): Promise<Proposed> {
  if (tables === undefined) return {};
  const text = copied?.description?.definition?.text;
  if (text !== undefined && tables.like !== undefined && copied?.description?.kind === 'table' && mapping === undefined)
    return { definition: await tables.like(table, text, { signal }), isLike: true };
  const rows = sampleDocuments(prepared, mapping);
  if (rows.length === 0) return {};
  let suggested: readonly ImportField[] | undefined;
  for (let sent = rows; ; sent = sampleDocuments(prepared, suggested)) {
    try {
      const definition = await tables.propose(table, sent, { signal });
      return { definition, ...(suggested === undefined ? {} : { suggested }) };
    } catch (error) {
      // A value that no table of the database takes there, such as a number for the id: the same digits as text may do.
      if (!isDriverError(error) || error.code !== 'INVALID_INPUT') throw error;
      const { field } = error.details;
      const before: readonly ImportField[] = suggested ?? prepared.fields;
      const isNew = before.some(({ source, type }) => source === field && (suggested === undefined || type !== 'text'));
      if (mapping !== undefined || !isNew) return { problem: errorReport(error) };
      suggested = before.map((one): ImportField => (one.source === field ? { ...one, type: 'text' } : one));
    }
  }
}

async function copyOf(
  { connectionName, count, description }: TableSample,
  { definition, isLike = false }: Proposed,
  there: TableRef | undefined,
  session: OpenSession['session'],
  signal: AbortSignal,
): Promise<RowImportPreview['copy']> {
  const rowsThere =
    there === undefined
      ? undefined
      : await session.countRows({ table: there, filter: NO_FILTER }, { signal }).catch((error: unknown) => {
          if (isDriverError(error) && error.code !== 'CANCELLED') return undefined;
          throw error;
        });
  const leftOut = definition === undefined || description === undefined ? [] : partsLeftOut(description, definition, isLike);
  return {
    connection: connectionName,
    isLike,
    ...(leftOut.length === 0 ? {} : { leftOut: [...leftOut] }),
    ...(count === undefined ? {} : { rows: count }),
    ...(rowsThere === undefined ? {} : { rowsThere }),
    ...(there === undefined ? {} : { confirm: there.name }),
  };
}
