import type { CompletionSource } from '@codemirror/autocomplete';
import { api } from '../api/client.ts';
import { readTablesOf } from '../api/namespaceTree.ts';
import type { SqlLanguage } from './sqlLanguage.ts';

/** The language of a console, as the driver's manifest has it. */
export interface ConsoleLanguage {
  readonly name: string | undefined;
  readonly dialect: string | undefined;
}

export const isSql = ({ name }: ConsoleLanguage): boolean => name?.toLowerCase() === 'sql';

/** The editor's own support of a language, fetched when it is needed; undefined where the editor has none and the driver's completions serve. */
export async function loadLanguage(
  connectionId: string,
  language: ConsoleLanguage,
  byDriver: CompletionSource,
): Promise<SqlLanguage | undefined> {
  if (!isSql(language)) return undefined;
  const { sqlLanguage } = await import('./sqlLanguage.ts');
  return sqlLanguage(language.dialect, {
    tables: async (signal) => [...(await api.tables.list.query({ connectionId }, { signal })), ...readTablesOf(connectionId)],
    describe: ({ ref: table }, signal) => api.tables.describe.query({ connectionId, table }, { signal }),
    byDriver,
  });
}
