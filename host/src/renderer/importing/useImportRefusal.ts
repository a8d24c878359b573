import type { OpenConnectionInfo } from '../../common/api.ts';
import { useConnections } from '../api/queries.ts';
import { strings } from '../i18n/index.ts';

/** Why nothing can be imported into a connection; undefined where it can. */
export function useImportRefusal({
  connectionId,
  facets,
}: Pick<OpenConnectionInfo, 'connectionId' | 'facets'>): string | undefined {
  const connection = useConnections().data?.find(({ id }) => id === connectionId);
  if (!facets.includes('import')) return strings.importing.unavailable;
  return connection?.access.readOnly === true ? strings.shell.readOnlyMode : undefined;
}
