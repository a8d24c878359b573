import { visibleText } from '@tabularium/sdk';
import type { SavedConnection } from '../../../common/connection.ts';
import type { ConnectionSecrets } from '../../connections/connectionSecrets.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { SavedRequests } from '../../console/savedRequests.ts';
import { MOST_SEARCHED, withoutSecrets } from '../../console/withoutSecrets.ts';
import { RepeatedSecret } from '../../drivers/broker/repeatedSecret.ts';
import type { SavedRequestReader } from '../tools/savedRequestReader.ts';

/** Values that were read are searched for this long, unless something here changes them. An entry may change in the secure store itself. */
const FRESH_MILLISECONDS = 30_000;

/** The values of all connections, by connection. */
type KnownValues = ReadonlyMap<string, readonly string[]>;

/**
 * The saved requests of the console, for clients. A text with a credential of any connection is withheld: a person may have saved a request
 * with one server's key for every connection, and the client may be one that reaches another server alone.
 */
export function savedRequestReader(
  saved: Pick<SavedRequests, 'list'>,
  secrets: Pick<ConnectionSecrets, 'valuesToHide' | 'revision'>,
  connections: Pick<ConnectionStore, 'list' | 'unreadable'>,
  now: () => number = Date.now,
): SavedRequestReader {
  let last:
    | { readonly all: readonly SavedConnection[]; readonly revision: number; readonly at: number; readonly values: KnownValues }
    | undefined;

  /** Undefined where the values of a connection can't be read now: then it is unknown what a text holds. A client may list often, a store is slow. */
  const knownValues = async (): Promise<KnownValues | undefined> => {
    const [all, { revision }, at] = [connections.list(), secrets, now()];
    // The store of connections makes another list after each change.
    if (last?.all === all && last.revision === revision && at - last.at < FRESH_MILLISECONDS) return last.values;
    last = undefined;
    const searched: Pick<SavedConnection, 'id' | 'secrets'>[] = [...all];
    for (const { id, secrets: references } of connections.unreadable()) {
      if (references === undefined) return undefined;
      searched.push({ id, secrets: references });
    }
    const read = searched.map(async (one) => [one.id, await secrets.valuesToHide(one)] as const);
    const values = await Promise.all(read).then(
      (entries) => new Map(entries),
      () => undefined,
    );
    if (values !== undefined) last = { all, revision, at, values };
    return values;
  };

  return {
    async list(connection) {
      const requests = saved.list(connection.id);
      if (requests.length === 0) return [];
      const values = await knownValues();
      const known = values === undefined ? undefined : [...new Set([...values.values()].flat())];
      const own = (values?.get(connection.id) ?? []).map((value) => new RepeatedSecret(value));
      return requests.map(({ id, name, connectionId, text }) => {
        const free = known === undefined ? name : withoutSecrets(name, known);
        const shown = { id, name: visibleText(free), isForAll: connectionId === null };
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
