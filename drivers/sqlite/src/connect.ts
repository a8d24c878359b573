import { accessSync, constants, statSync } from 'node:fs';
import { basename } from 'node:path';
import { DriverError, driverText } from '@tabularium/sdk';
import type { DriverContext, Finding, Session, Settings, TableRef, TableSummary } from '@tabularium/sdk';
import { createConsole } from './console/console.ts';
import { SqliteDatabase } from './database.ts';
import { createEdits } from './edits/edits.ts';
import { createExport } from './export.ts';
import { createImport } from './import/import.ts';
import { faultTexts, sqliteError, stopIfCancelled } from './fault.ts';
import { filterCondition, readable } from './filters.ts';
import { counted, quoted } from './names.ts';
import { countTableRows, orderText, readPage, sortsOf } from './pages.ts';
import { listed, readTable } from './schema.ts';
import { createRows } from './rows.ts';
import type { SqlTable } from './schema.ts';
import { suggest } from './suggestions.ts';
import { createTableOperations } from './tableOperations.ts';

/** Up to this size the rows of every table are counted for the list: it takes a few milliseconds. */
const LARGEST_LISTED = 32 * 1024 * 1024;
const BUSY_SECONDS = 5;

/** Opens one database file. */
export async function connect(
  settings: Settings,
  context: DriverContext,
  options: { readonly signal: AbortSignal },
): Promise<Session> {
  stopIfCancelled(options.signal);
  const path = context.file?.paths['file'];
  if (path === undefined)
    throw new DriverError('INVALID_INPUT', 'No database file is chosen.', {
      details: { field: 'file', texts: faultTexts('file.none') },
    });
  const size = fileSize(path);
  const isWritable = writable(path);
  const wantsReadOnly = settings['readOnly'] === true;
  const busySeconds = settings['busySeconds'];
  const database = new SqliteDatabase(path, {
    readOnly: wantsReadOnly || !isWritable,
    busyMilliseconds: 1_000 * (typeof busySeconds === 'number' ? busySeconds : BUSY_SECONDS),
    foreignKeys: settings['foreignKeys'] !== false,
  });
  try {
    return sessionOf(database, path, {
      findings: findingsOf(database, path, size, { wantsReadOnly, isWritable }),
    });
  } catch (error) {
    database.close();
    throw error;
  }
}

function sessionOf(database: SqliteDatabase, path: string, { findings }: { readonly findings: readonly Finding[] }): Session {
  const tableOf = (ref: TableRef): SqlTable => readTable(database, ref);
  const version = database.first('SELECT sqlite_version()')?.[0];
  const isUtf8 = database.first('PRAGMA encoding')?.[0] === 'UTF-8';
  return {
    server: { product: 'SQLite', version: String(version) },
    findings,
    async ping({ signal }) {
      stopIfCancelled(signal);
      fileSize(path);
      database.all('PRAGMA schema_version');
    },
    async listTables({ signal }) {
      stopIfCancelled(signal);
      const counts = fileSize(path) <= LARGEST_LISTED;
      return listed(database).map(({ name, type }): TableSummary => {
        const ref = { namespace: [], name };
        if (type !== 'table' || !counts) return { ref, kind: type === 'view' ? 'view' : 'table' };
        return { ref, kind: 'table', ...countOf(database, name) };
      });
    },
    async describeTable(table, { signal }) {
      stopIfCancelled(signal);
      return tableOf(table).description;
    },
    async readPage(request, { signal }) {
      stopIfCancelled(signal);
      return readPage(database, tableOf(request.table), request, { bytes: fileSize(path), isUtf8 });
    },
    async countRows({ table, filter }, { signal }) {
      stopIfCancelled(signal);
      return countTableRows(database, tableOf(table), filter, fileSize(path));
    },
    async close() {
      database.close();
    },
    console: createConsole(database),
    edits: createEdits(database, tableOf),
    export: createExport(database, tableOf),
    import: createImport(database, tableOf),
    rows: createRows(database, tableOf),
    tableOperations: createTableOperations(database, tableOf, () => fileSize(path)),
    suggestions: {
      async values(request, { signal }) {
        stopIfCancelled(signal);
        return suggest(database, tableOf(request.table), request);
      },
    },
    expressions: {
      async ofRead({ table: ref, filter, sorts }, { signal }) {
        stopIfCancelled(signal);
        const table = tableOf(ref);
        const condition = filterCondition(filter, table);
        const order = sorts.length === 0 ? '' : orderText(sorts, table);
        return {
          parts: [
            ...(condition === undefined ? [] : [{ label: 'WHERE', text: readable(condition) }]),
            ...(order === '' ? [] : [{ label: 'ORDER BY', text: order }]),
          ],
          droppedSorts: sortsOf(sorts, table).dropped,
        };
      },
    },
  };
}

/** A damaged table is listed all the same: what is wrong shows when it is read. */
function countOf(database: SqliteDatabase, name: string): Pick<TableSummary, 'count'> {
  try {
    return { count: { rows: Number(database.first(`SELECT count(*) FROM main.${quoted(name)}`)?.[0] ?? 0), exact: true } };
  } catch {
    return {};
  }
}

/** @throws DriverError `NOT_FOUND` when the file is gone */
function fileSize(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === true) return found.size;
  throw new DriverError('NOT_FOUND', `The file ${path} does not exist.`, {
    details: {
      field: 'file',
      advice: 'Choose an existing file. None is created.',
      texts: faultTexts('file.missing', { path }, 'file.missing.advice'),
    },
  });
}

function writable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Looks at the file in earnest: whether it is a database shows only when it is read. */
function findingsOf(
  database: SqliteDatabase,
  path: string,
  size: number,
  { wantsReadOnly, isWritable }: { readonly wantsReadOnly: boolean; readonly isWritable: boolean },
): Finding[] {
  try {
    const [pages, bytes, journal, encoding] = ['page_count', 'page_size', 'journal_mode', 'encoding'].map(
      (name) => database.first(`PRAGMA ${name}`)?.[0],
    );
    const tables = listed(database).length;
    const findings: Finding[] = [
      {
        label: 'File',
        outcome: 'ok',
        message: `${basename(path)} has ${counted(tables, 'table or view', 'tables and views')} in ${counted(size, 'byte', 'bytes')} (${counted(Number(pages), 'page', 'pages')} of ${counted(Number(bytes), 'byte', 'bytes')}, ${String(encoding)}, journal: ${String(journal)}).`,
        texts: {
          label: { id: 'finding.file.label' },
          message: driverText('finding.file', {
            name: basename(path),
            tables,
            size,
            pages: Number(pages),
            bytes: Number(bytes),
            encoding: String(encoding),
            journal: String(journal),
          }),
        },
      },
    ];
    if (!isWritable && !wantsReadOnly)
      findings.push({
        label: 'Writing',
        outcome: 'warning',
        message: "You don't have permission to write this file, so it is opened read-only.",
        texts: { label: { id: 'finding.writing.label' }, message: { id: 'finding.writing' } },
      });
    return findings;
  } catch (error) {
    throw sqliteError(error);
  }
}
