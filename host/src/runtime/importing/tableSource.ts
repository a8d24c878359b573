import { DriverError, NO_FILTER, isDriverError } from '@tabularium/sdk';
import type { ExportFacet, RowCount, TableDescription, TableRef } from '@tabularium/sdk';
import { HostError } from '../../common/errors.ts';
import type { ImportSource } from '../../common/imports.ts';
import type { Sessions } from '../data/sessions.ts';
import type { ExportFile } from '../transfer/exportFile.ts';
import { runTableExport } from '../transfer/exportRun.ts';
import type { OnWritten, SplicingSession } from '../transfer/exportRun.ts';
import type { PreparableFile } from './prepareSource.ts';
import { LARGEST_ROW } from './rowSplitter.ts';

/** A table whose rows are copied. */
export type TableSource = Extract<ImportSource, { is: 'table' }>;

type Destination = Pick<ExportFile, 'bytes' | 'write'>;

/** Bytes of the first rows, and how many of them are looked at. */
const SAMPLE = 1024 * 1024;
const SAMPLED_ROWS = 1_000;
const LINE_FEED = 0x0a;

/** The first rows of a table, as JSON lines. */
export interface TableSample {
  readonly file: PreparableFile;
  /** By its database's own count; undefined where that fails. */
  readonly count: RowCount | undefined;
  readonly description: TableDescription | undefined;
  /** Of the driver. */
  readonly driverId: string;
  /** Of the connection. */
  readonly connectionName: string;
}

/** Calls the facet of a connection that exports. @throws DriverError `UNSUPPORTED` */
async function useExport<T>(
  sessions: Pick<Sessions, 'use'>,
  connectionId: string,
  signal: AbortSignal,
  work: (facet: ExportFacet, session: SplicingSession, facts: { readonly driverId: string; readonly name: string }) => Promise<T>,
): Promise<T> {
  return sessions.use(
    connectionId,
    async ({ session, manifest, connection }) => {
      if (session.export === undefined) throw new DriverError('UNSUPPORTED', `${manifest.title}: this driver exports nothing.`);
      return work(session.export, session, { driverId: manifest.id, name: connection.name });
    },
    { signal },
  );
}

/** @throws HostError `INVALID_REQUEST` for a table without rows; what the driver throws */
export async function sampleTable(
  sessions: Pick<Sessions, 'use'>,
  { connectionId, table }: TableSource,
  signal: AbortSignal,
): Promise<TableSample> {
  return useExport(sessions, connectionId, signal, async (facet, session, { driverId, name }) => {
    const sample = new Sample();
    try {
      await writeTable(session, facet, table, sample, () => undefined, signal);
    } catch (error) {
      // Rows were added or deleted meanwhile: the first ones are as they are.
      if (!(error instanceof EnoughRows) && !(isDriverError(error) && error.code === 'ROWS_DIFFER')) throw error;
    }
    const bytes = sample.whole();
    if (bytes.length === 0) throw new HostError('INVALID_REQUEST', `${table.name} has no rows to copy.`);
    const described = await session.describeTable(table, { signal }).catch(unlessRefused);
    const count = await session.countRows({ table, filter: NO_FILTER }, { signal }).catch(unlessRefused);
    return { file: bytesAsFile(bytes), count, description: described, driverId, connectionName: name };
  });
}

/** Writes every row of a table as JSON lines. @throws what {@link runTableExport} throws */
export async function exportCopied(
  sessions: Pick<Sessions, 'use'>,
  { connectionId, table }: TableSource,
  file: Destination,
  onWritten: OnWritten,
  signal: AbortSignal,
): Promise<void> {
  await useExport(sessions, connectionId, signal, (facet, session) => writeTable(session, facet, table, file, onWritten, signal));
}

async function writeTable(
  session: SplicingSession,
  facet: ExportFacet,
  table: TableRef,
  file: Destination,
  onWritten: OnWritten,
  signal: AbortSignal,
): Promise<void> {
  const csv = { header: true, guardFormulas: false };
  await runTableExport(session, facet, { table, filter: NO_FILTER }, { file, format: 'jsonl', csv, signal, onWritten });
}

function unlessRefused(error: unknown): undefined {
  if (isDriverError(error) && error.code !== 'CANCELLED') return undefined;
  throw error;
}

class EnoughRows extends Error {}

/** Keeps the beginning of an export, and ends it there. */
class Sample implements Destination {
  readonly #chunks: Uint8Array[] = [];
  #lines = 0;
  bytes = 0;

  async write(data: Uint8Array): Promise<void> {
    this.#chunks.push(data.slice());
    this.bytes += data.length;
    for (let at = data.indexOf(LINE_FEED); at >= 0; at = data.indexOf(LINE_FEED, at + 1)) this.#lines += 1;
    const isEnough = this.#lines >= SAMPLED_ROWS || (this.#lines > 0 && this.bytes >= SAMPLE);
    if (isEnough || this.bytes > LARGEST_ROW) throw new EnoughRows();
  }

  /** The rows that are whole. */
  whole(): Uint8Array {
    const all = Buffer.concat(this.#chunks);
    return all.subarray(0, all.lastIndexOf(LINE_FEED) + 1);
  }
}

function bytesAsFile(bytes: Uint8Array): PreparableFile {
  async function* from(offset: number): AsyncGenerator<Uint8Array> {
    if (offset < bytes.length) yield bytes.slice(offset);
  }
  return { head: async (most) => bytes.subarray(0, most), text: (_gzip, offset) => from(offset) };
}
