import { join } from 'node:path';
import type { ImportFacet } from '@tabularium/sdk';
import type { SavedConnection } from '../../common/connection.ts';
import { HostError } from '../../common/errors.ts';
import type { ImportField, StartImport } from '../../common/imports.ts';
import { tableName } from '../../common/tableName.ts';
import { connectionTarget } from '../connections/connectionTarget.ts';
import { requireWritable } from '../connections/readOnlyMode.ts';
import type { OpenSession, Sessions } from '../data/sessions.ts';
import type { ImportRecord } from './importJournal.ts';
import { tableIdentity } from './begunTable.ts';
import { targetColumns, modeOf, tablesOf, useImport } from './importTarget.ts';
import { discardMadeTable, markOfTable } from './madeTable.ts';
import { newImportInfo } from './newImportInfo.ts';
import { prepareSource, resolvedFields } from './prepareSource.ts';
import type { PreparableFile, PreparedSource } from './prepareSource.ts';
import { requireKnownColumns } from './requireKnownColumns.ts';
import { requireOtherTable } from './requireOtherTable.ts';
import { SourceFile } from './sourceFile.ts';
import { sampleTable } from './tableSource.ts';
import type { TableSource } from './tableSource.ts';

/** Rows that are copied come as the export has them. */
export const COPY_FORMAT = { format: 'jsonl', gzip: false } as const;
/** Of a copy before its rows were read. */
const NO_FILE = { device: '', inode: '', born: '', size: '', modified: '' };

interface BegunFile {
  readonly path: string;
  readonly name: string;
  readonly mapping: readonly ImportField[] | undefined;
}

interface Begun extends Pick<ImportRecord, 'identity' | 'made'> {
  readonly prepared: PreparedSource;
  readonly mode: string;
}

/** Makes the records of new imports, and the tables that they go to. */
export class BegunImports {
  readonly #sessions: Pick<Sessions, 'use' | 'forgetStructures'>;
  readonly #folder: string;
  readonly #onChange: (connectionId: string) => void;

  /** @param folder - of files that imports keep */
  constructor(sessions: Pick<Sessions, 'use' | 'forgetStructures'>, folder: string, onChange: (connectionId: string) => void) {
    this.#sessions = sessions;
    this.#folder = folder;
    this.#onChange = onChange;
  }

  /** The record of an import of a file. */
  async file(request: StartImport, { path, name, mapping }: BegunFile, signal: AbortSignal): Promise<ImportRecord> {
    const { source, format } = request;
    await using file = await SourceFile.open(path);
    // Awaited here: the file is open until then.
    return await useImport(this.#sessions, request.connectionId, signal, async (facet, session, connection) => {
      requireWritable(connection);
      const { prepared, mode, ...begun } = await this.#prepared(
        { ...request, mapping },
        { file, format },
        facet,
        session,
        connection,
        signal,
      );
      const fields = resolvedFields(prepared, mapping);
      const { connectionId, table } = request;
      const { renamed } = prepared;
      const more = renamed === undefined ? {} : { renamed: [...renamed] };
      const info = newImportInfo({ connectionId, table, name, mode, totalBytes: file.bytes, ...more });
      const target = connectionTarget(connection);
      return recordOf(
        { info, target, source, path, file: file.state, ...begun, ...(fields === undefined ? {} : { fields }) },
        prepared,
      );
    });
  }

  /** The record of a copy, whose rows are still to be read. */
  async copy(request: StartImport, source: TableSource, signal: AbortSignal): Promise<ImportRecord> {
    const { connectionId, table, definition, mapping, typedName } = request;
    const sample = await sampleTable(this.#sessions, source, signal);
    return useImport(this.#sessions, connectionId, signal, async (facet, session, connection) => {
      requireWritable(connection);
      await requireOtherTable(request, sample, session, signal);
      if (definition === undefined && typedName !== table.name) {
        throw new HostError('APPROVAL_REQUIRED', `The typed name isn't "${table.name}", so nothing was copied.`, {
          details: { advice: `Type ${table.name} to confirm that rows are written into it.`, field: 'typedName' },
        });
      }
      const { prepared, mode, ...begun } = await this.#prepared(
        { ...request, mapping },
        { file: sample.file, format: COPY_FORMAT },
        facet,
        session,
        connection,
        signal,
      );
      const from = { connectionId: source.connectionId, table: source.table };
      const info = newImportInfo({ connectionId, table, name: tableName(source.table), mode, totalBytes: 0, from });
      const path = join(this.#folder, `${info.id}.source`);
      return recordOf(
        {
          info,
          target: connectionTarget(connection),
          source,
          path,
          file: NO_FILE,
          unread: true,
          ...begun,
          ...(mapping === undefined ? {} : { fields: mapping }),
        },
        prepared,
      );
    });
  }

  /** Creates the table where that was asked for, and looks at the first rows. */
  async #prepared(
    {
      connectionId,
      table,
      definition,
      mode,
      mapping,
    }: Pick<StartImport, 'connectionId' | 'table' | 'definition' | 'mode'> & Pick<BegunFile, 'mapping'>,
    { file, format }: { readonly file: PreparableFile; readonly format: StartImport['format'] },
    facet: ImportFacet,
    session: OpenSession['session'],
    connection: SavedConnection,
    signal: AbortSignal,
  ): Promise<Begun> {
    const prepared = async (): Promise<Begun> => {
      const form = await facet.form(table, { signal });
      const columns = await targetColumns(session, table, signal);
      const identity = await tableIdentity(session, table, signal);
      const source = await prepareSource(file, format, columns, signal, definition !== undefined);
      const chosen = modeOf(form, mode);
      if (definition === undefined)
        await requireKnownColumns(facet, { table, mode: chosen }, { prepared: source, fields: mapping, columns }, signal);
      return {
        prepared: source,
        mode: chosen,
        ...(identity === undefined ? {} : { identity }),
      };
    };
    if (definition === undefined) return prepared();
    const { effect } = await tablesOf(facet).plan(table, definition, { signal });
    requireWritable(connection, effect);
    await this.#changing(connectionId, () => tablesOf(facet).create(table, definition, { signal }));
    // Credentials that may not read the structure make tables all the same.
    const mark = await markOfTable(session, table, signal).catch(() => undefined);
    const made = mark === undefined ? {} : { mark };
    try {
      return { ...(await prepared()), made };
    } catch (error) {
      // There will be no import that could be cancelled.
      await this.#changing(connectionId, async () => {
        await discardMadeTable(this.#sessions, { connectionId, table }, made, connectionTarget(connection));
      }).catch(() => undefined);
      throw error;
    }
  }

  async #changing(connectionId: string, change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } finally {
      this.#sessions.forgetStructures(connectionId);
      this.#onChange(connectionId);
    }
  }
}

function recordOf(
  of: Pick<ImportRecord, 'info' | 'target' | 'source' | 'path' | 'file' | 'fields' | 'unread' | 'made' | 'identity'>,
  { format, names, start }: PreparedSource,
): ImportRecord {
  return { ...of, format, names, place: start, rejectedBytes: 0, sent: 0 };
}
