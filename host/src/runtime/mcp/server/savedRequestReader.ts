import type { ConnectionSecrets } from '../../connections/connectionSecrets.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { SavedRequests } from '../../console/savedRequests.ts';
import { MOST_SEARCHED, withoutSecrets } from '../../console/withoutSecrets.ts';
import { RepeatedSecret } from '../../drivers/broker/repeatedSecret.ts';
import type { SavedRequestReader } from '../tools/savedRequestReader.ts';

/**
 * The saved requests of the console, for clients. A text with a credential of any connection is withheld: a person may have saved a request
 * with one server's key for every connection, and the client may be one that reaches another server alone.
 */
export function savedRequestReader(
  saved: Pick<SavedRequests, 'list'>,
  secrets: Pick<ConnectionSecrets, 'valuesToHide'>,
  connections: Pick<ConnectionStore, 'list'>,
): SavedRequestReader {
  return {
    async list(connection) {
      const requests = saved.list(connection.id);
      if (requests.length === 0) return [];
      // A store that does not answer now leaves it unknown what a text holds, and then no text is given.
      const known = await Promise.all(connections.list().map((one) => secrets.valuesToHide(one))).then(
        (values) => [...new Set(values.flat())],
        () => undefined,
      );
      const own = known === undefined ? [] : (await secrets.valuesToHide(connection)).map((value) => new RepeatedSecret(value));
      return requests.map(({ id, name, connectionId, text }) => {
        const shown = { id, name: known === undefined ? name : withoutSecrets(name, known), isForAll: connectionId === null };
        if (text.length > MOST_SEARCHED) return { ...shown, isTooLong: true };
        const forms = [text, jsonUnescaped(text)];
        const isFree =
          known !== undefined &&
          forms.every((form) => withoutSecrets(form, known) === form && !own.some((secret) => secret.isIn(form)));
        return isFree ? { ...shown, text } : shown;
      });
    },
  };
}

function jsonUnescaped(text: string): string {
  return text.replaceAll(/\\u([0-9a-f]{4})/gi, (_sequence, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
