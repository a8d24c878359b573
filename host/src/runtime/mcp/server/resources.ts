import { ProtocolError } from '@modelcontextprotocol/server';
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { isDriverError } from '@tabularium/sdk';
import type { Session, TableDescription, TableRef } from '@tabularium/sdk';
import { MCP_CODES } from './codes.ts';
import { describeTable } from '../tools/describeTable.ts';
import { fittingEntries } from '../tools/fittingEntries.ts';
import { listConnections } from '../tools/listConnections.ts';
import { listTables } from '../tools/listTables.ts';
import { searchQueryHistory } from '../tools/searchQueryHistory.ts';
import { tableArgumentName } from '../tools/tableArgument.ts';
import { tableDefinition } from '../tools/tableDefinition.ts';
import { estimateTokens } from '../tools/tokenEstimate.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { CONNECTIONS_URI, connectionUri, parseUri } from './uris.ts';
import { errorText } from './errorText.ts';

const JSON_TYPE = 'application/json';
/** Tables that a schema names with all their columns; a model has no use for more at once. */
export const MOST_SCHEMA_TABLES = 100;
/** About as many as an answer of a tool has by default. */
const SCHEMA_TOKENS = 10_000;

/** Milliseconds for which a client may keep what it has read. */
const TTL: Readonly<Record<string, number>> = {
  connections: 15_000,
  schema: 60_000,
  tables: 60_000,
  table: 60_000,
  definition: 300_000,
  history: 5_000,
};

const template = (path: string, name: string, title: string, description: string): ResourceTemplateType => ({
  uriTemplate: `${CONNECTIONS_URI}/{connection}/${path}`,
  name,
  title,
  description,
  mimeType: JSON_TYPE,
});

/** In a fixed order. */
export const RESOURCE_TEMPLATES: readonly ResourceTemplateType[] = [
  template('schema', 'schema', 'Schema', `The first ${MOST_SCHEMA_TABLES} tables of a connection with their columns.`),
  template('tables', 'tables', 'Tables', 'The tables and views of a connection.'),
  template('tables/{table}{?namespace}', 'table', 'Table', 'One table: columns, key, what can be sorted and filtered.'),
  template(
    'tables/{table}/definition{?namespace}',
    'definition',
    'Table definition',
    "One table in the database's own language.",
  ),
  template('history{?text,limit}', 'history', 'Query history', 'Statements that were run before, newest first.'),
];

/** The resources of a caller, without asking any driver. */
export function listResources(context: ToolContext): readonly Resource[] {
  const entry = (uri: string, name: string, title: string, description: string): Resource => ({
    uri,
    name,
    title,
    description,
    mimeType: JSON_TYPE,
  });
  return [
    entry(CONNECTIONS_URI, 'connections', 'Connections', 'The saved connections that are open to you.'),
    ...context
      .visibleConnections()
      .flatMap(({ id, name }) => [
        entry(connectionUri(id, 'schema'), `${name}: schema`, `Schema of ${name}`, 'Its tables with their columns.'),
        entry(connectionUri(id, 'tables'), `${name}: tables`, `Tables of ${name}`, 'Its tables and views.'),
        ...(context.history === undefined
          ? []
          : [entry(connectionUri(id, 'history'), `${name}: history`, `History of ${name}`, 'Statements that were run before.')]),
      ]),
  ];
}

/** Reads a resource. Every connection is reached as tools reach it: through the policy. @throws ProtocolError, and what tools throw */
export async function readResource(uri: string, context: ToolContext): Promise<ReadResourceResult> {
  const address = parseUri(uri);
  if (address === undefined)
    throw new ProtocolError(MCP_CODES.invalidParams, errorText(`Resource not found: ${uri.slice(0, 200)}`), { uri });
  const content = (value: unknown): ReadResourceResult => ({
    contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }],
    ttlMs: TTL[address.kind] ?? 0,
    cacheScope: 'private',
  });
  switch (address.kind) {
    case 'connections':
      return content(await listConnections.call({}, context));
    case 'tables':
      return content(await listTables.call({ connection: address.connection }, context));
    case 'table':
    case 'definition': {
      const tool: Tool = address.kind === 'table' ? describeTable : tableDefinition;
      const { connection, table, namespace } = address;
      return content(await tool.call({ connection, table, ...(namespace === undefined ? {} : { namespace }) }, context));
    }
    case 'history': {
      const { connection, query } = address;
      const limit = Number(query.get('limit') ?? '50');
      const text = query.get('text');
      return content(
        await searchQueryHistory.call({ connection, maxEntries: limit, ...(text === null ? {} : { text }) }, context),
      );
    }
    case 'schema':
      return content(await schemaOf(address.connection, context));
  }
}

/** The shape of a whole connection, as far as it goes into one answer: by tables, by tokens, and of a very wide table by columns. */
export async function schemaOf(
  named: string,
  context: ToolContext,
): Promise<{ readonly tables: readonly unknown[]; readonly notes: readonly string[] }> {
  return context.withConnection(named, { kind: 'describe' }, async ({ session }) => {
    const all = await session.listTables({ signal: context.signal });
    const tables: unknown[] = [];
    const notes: string[] = [];
    let tokensLeft = SCHEMA_TOKENS;
    let looked = 0;
    for (const { ref, kind } of all.slice(0, MOST_SCHEMA_TABLES)) {
      if (tokensLeft <= 0) break;
      looked += 1;
      const description = await describe(session, ref, context);
      if (description === undefined) {
        notes.push(`"${tableArgumentName(ref)}" could not be described.`);
        continue;
      }
      const columns = description.columns.map(({ name, type, nullable }) => ({ name, type, nullable }));
      const fitting = fittingEntries(columns, SCHEMA_TOKENS / 2);
      if (fitting.length < columns.length) {
        notes.push(
          `Only the first ${fitting.length} of ${columns.length} columns of "${tableArgumentName(ref)}" are here: call describe_table.`,
        );
      }
      const table = { name: ref.name, namespace: ref.namespace, kind, key: description.key, columns: fitting };
      tokensLeft -= estimateTokens(JSON.stringify(table));
      tables.push(table);
      context.progress(looked, Math.min(all.length, MOST_SCHEMA_TABLES));
    }
    if (looked < all.length)
      notes.push(`Only the first ${looked} of ${all.length} tables are here: call list_tables and describe_table.`);
    if (session.namespaces !== undefined) notes.push('Other namespaces may have more tables: call list_tables.');
    return { tables, notes };
  });
}

/** One table that cannot be described must not hide the others. */
async function describe(session: Session, ref: TableRef, { signal }: ToolContext): Promise<TableDescription | undefined> {
  try {
    return await session.describeTable(ref, { signal });
  } catch (error) {
    if (signal.aborted || !isDriverError(error)) throw error;
    return undefined;
  }
}
