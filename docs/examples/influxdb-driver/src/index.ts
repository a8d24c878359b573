import { DriverError, defineDriver } from '@tabularium/sdk';
import type { CallOptions, Finding, Session, TableSummary } from '@tabularium/sdk';
import { whereOf } from './condition.ts';
import { createConsole } from './console.ts';
import { InfluxServer } from './influxServer.ts';
import { identifier, isQuotable } from './influxql.ts';
import { describe, namesIn, readMeasurement } from './measurement.ts';
import { countPoints, readPoints } from './points.ts';

interface Listed {
  readonly tables: readonly TableSummary[];
  readonly databases: readonly string[];
  /** Databases that the user may write to, and not read. */
  readonly unread: readonly string[];
}

async function listMeasurements(server: InfluxServer, signal: AbortSignal): Promise<Listed> {
  const databases = namesIn(await server.read('SHOW DATABASES', signal), 'name').filter(isQuotable);
  const tables: TableSummary[] = [];
  const unread: string[] = [];
  for (const database of databases) {
    try {
      const names = namesIn(await server.read(`SHOW MEASUREMENTS ON ${identifier(database)}`, signal), 'name');
      for (const name of names) tables.push({ ref: { namespace: [database], name }, kind: 'table' });
    } catch (error) {
      // Dropped since, or one that this user may not read: the others are listed all the same.
      if (!(error instanceof DriverError) || (error.code !== 'ACCESS_REFUSED' && error.code !== 'NOT_FOUND')) throw error;
      if (error.code === 'ACCESS_REFUSED') unread.push(database);
    }
  }
  return { tables, databases, unread };
}

function findingsOf({ tables, databases, unread }: Listed): Finding[] {
  const findings: Finding[] = [
    databases.length === 0
      ? {
          label: 'Databases',
          outcome: 'warning',
          message: 'The server lists no database: there is none, or the user may read none.',
        }
      : {
          label: 'Databases',
          outcome: 'ok',
          message: `The user sees ${databases.length} databases with ${tables.length} measurements.`,
        },
  ];
  if (unread.length > 0) {
    findings.push({
      label: 'Permissions',
      outcome: 'warning',
      message: `The user may not read: ${unread.slice(0, 10).join(', ')}.`,
    });
  }
  return findings;
}

export const driver = defineDriver({
  id: 'influxdb-example',
  async connect(settings, { http }, { signal }): Promise<Session> {
    if (http === undefined) throw new DriverError('PERMISSION_DENIED', 'The manifest declares no "permissions.http".');
    signal.throwIfAborted();
    const server = new InfluxServer(http, settings);
    const version = await server.version(signal);
    const findings = findingsOf(await listMeasurements(server, signal));

    const closing = new AbortController();
    /** Every call begins so: it may have been given up, a closed session serves none, and closing ends those in flight. */
    const begin = (options: CallOptions): AbortSignal => {
      options.signal.throwIfAborted();
      if (closing.signal.aborted) throw new DriverError('CONNECTION_LOST', 'The connection is closed.');
      return AbortSignal.any([options.signal, closing.signal]);
    };
    const database = settings['database'];
    return {
      server: { product: 'InfluxDB', version },
      findings,
      async ping(options) {
        // Not /ping: that one answers without credentials.
        await server.read('SHOW DATABASES', begin(options));
      },
      async listTables(options) {
        return (await listMeasurements(server, begin(options))).tables;
      },
      async describeTable(table, options) {
        return describe(await readMeasurement(server, table, begin(options)));
      },
      async readPage(request, options) {
        const own = begin(options);
        return readPoints(server, await readMeasurement(server, request.table, own), request, own);
      },
      async countRows({ table, filter }, options) {
        const own = begin(options);
        const measurement = await readMeasurement(server, table, own);
        return countPoints(server, measurement, whereOf(filter, measurement), own);
      },
      console: createConsole(server, begin, typeof database === 'string' && database !== '' ? database : undefined),
      async close() {
        closing.abort();
      },
    };
  },
});
