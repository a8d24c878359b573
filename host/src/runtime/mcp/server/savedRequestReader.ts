import type { ConnectionSecrets } from '../../connections/connectionSecrets.ts';
import type { SavedRequests } from '../../console/savedRequests.ts';
import { withoutSecrets } from '../../console/withoutSecrets.ts';
import type { SavedRequestReader } from '../tools/savedRequestReader.ts';

/** The saved requests of the console, for clients. */
export function savedRequestReader(
  saved: Pick<SavedRequests, 'list'>,
  secrets: Pick<ConnectionSecrets, 'valuesToHide'>,
): SavedRequestReader {
  return {
    async list(connection) {
      const requests = saved.list(connection.id);
      // A store that does not answer now leaves it unknown what a text holds, and then no text is given.
      const known = requests.length === 0 ? [] : await secrets.valuesToHide(connection).catch(() => undefined);
      return requests.map(({ id, name, connectionId, text }) => ({
        id,
        name,
        isForAll: connectionId === null,
        ...(known === undefined || withoutSecrets(text, known) !== text ? {} : { text }),
      }));
    },
  };
}
