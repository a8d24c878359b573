import { DriverError, isDriverError } from '@tabularium/sdk';
import type { CreatedPrincipal, PrincipalField, PrincipalInput, PrincipalsFacet } from '@tabularium/sdk';
import { badAnswer } from '../client.ts';
import type { SearchClient } from '../client.ts';
import { isObject, textOfField } from '../guards.ts';
import { encodeSegment } from '../paths.ts';
import { tablesOfServer } from '../tables.ts';
import { versionNumber } from '../versions.ts';
import { actionOptions } from './actions.ts';
import { expiry, one, refused, several } from './keyInput.ts';
import { principalOf, principalsOf } from './keys.ts';
import { createScopedKeys } from './scopedKeys.ts';
import { withTexts } from './withTexts.ts';
import { faultTexts } from '../faultTexts.ts';

/** More choices than anybody scrolls through; others can be typed. */
const MOST_COLLECTIONS = 9_000;
/** Characters that a header can have, because the key is sent in one later. */
const SENDABLE = /^[!-~]+$/;

/** The API keys of the server. A value is handed out by {@link PrincipalsFacet.create} and kept nowhere. */
export function createPrincipals(client: SearchClient, version?: string): PrincipalsFacet {
  return {
    term: { one: 'API Key', other: 'API Keys' },
    editable: {
      allowed: false,
      reason: 'The server cannot change a key: add another one, and delete this one.',
      texts: { reason: { id: 'key.fixed' } },
    },
    async list({ signal }) {
      const { value } = await allowed('keys:list', 'list', () => client.read('/keys', signal));
      return principalsOf(value, new Date());
    },
    async form({ signal }) {
      const names = (await tablesOfServer(client, signal)).slice(0, MOST_COLLECTIONS).map(({ ref }) => ref.name);
      return formOf(names, versionNumber(version));
    },
    create: (input, { signal }) => createKey(input, client, signal),
    generator: createScopedKeys(client),
    async remove(id, { signal }) {
      // The server never answers to some requests for a key that isn't a number.
      if (!/^\d{1,15}$/.test(id))
        throw new DriverError('NOT_FOUND', `There is no API key “${id.slice(0, 40)}”: keys are numbered.`, {
          details: { texts: faultTexts('fault.noKey', { id: id.slice(0, 40) }) },
        });
      const path = `/keys/${encodeSegment(id)}`;
      const response = await allowed('keys:delete', 'delete', () =>
        client.send({ method: 'DELETE', path, repeatable: false, signal }).catch((error: unknown) => {
          if (isDriverError(error) && error.code === 'NOT_FOUND') {
            throw new DriverError('NOT_FOUND', `There is no API key number ${id}.`, {
              cause: error,
              details: { ...error.details, texts: faultTexts('fault.noKey', { id }) },
            });
          }
          throw error;
        }),
      );
      await response.discard();
    },
  };
}

/** A refused key sees what it lacks, not an empty list. */
async function allowed<T>(action: string, verb: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isDriverError(error) || error.code !== 'ACCESS_REFUSED') throw error;
    throw new DriverError(
      'ACCESS_REFUSED',
      `The connection’s API key can't ${verb} keys: it lacks the action ${action}, or keys:*.`,
      {
        cause: error,
        details: {
          ...error.details,
          advice: 'Use the key that the server was started with, or one with keys:*.',
          texts: { message: { id: 'key.mayNot', values: { verb, action } }, advice: { id: 'key.useAnother' } },
        },
      },
    );
  }
}

function formOf(collections: readonly string[], version: number | undefined): PrincipalField[] {
  const fields: readonly PrincipalField[] = [
    { id: 'description', label: 'Description', required: true, type: 'text', help: 'The purpose of the key.' },
    {
      id: 'actions',
      label: 'Actions',
      required: true,
      type: 'list',
      options: actionOptions(version),
      default: ['documents:search'],
      help: "The actions that the key allows. You can enter actions that aren't listed.",
    },
    {
      id: 'collections',
      label: 'Collections',
      required: true,
      type: 'list',
      options: [
        { value: '*', label: 'All collections', texts: { label: { id: 'key.collections.all' } } },
        ...collections.map((name) => ({ value: name, label: name })),
      ],
      default: ['*'],
      help: 'Names, or patterns such as orders_.*; * is all of them.',
    },
    { id: 'expiresAt', label: 'Expires', required: false, type: 'time', help: 'Empty: never.' },
    {
      id: 'value',
      label: 'Own value',
      required: false,
      type: 'secret',
      help: 'Empty: the server generates one, which is safer.',
    },
  ];
  return fields.map((field) => withTexts(field, 'key'));
}

async function createKey(input: PrincipalInput, client: SearchClient, signal: AbortSignal): Promise<CreatedPrincipal> {
  const now = new Date();
  const own = one(input, 'value');
  if (own !== undefined && !SENDABLE.test(own)) {
    throw refused(
      'value',
      "The value has characters that aren't allowed in a request header.",
      faultTexts('fault.keyCharacters'),
    );
  }
  const expires = expiry(one(input, 'expiresAt')?.trim(), now);
  const description = one(input, 'description')?.trim();
  if (description === undefined) throw refused('description', 'Describe the purpose of the key.', faultTexts('fault.keyPurpose'));
  const body = JSON.stringify({
    description,
    actions: several(input, 'actions', 'Choose at least one action.'),
    collections: several(input, 'collections', 'Choose at least one collection, or * for all.'),
    ...(expires === undefined ? {} : { expires_at: expires }),
    ...(own === undefined ? {} : { value: own }),
  });
  const response = await allowed('keys:create', 'add', () =>
    client
      .send({ method: 'POST', path: '/keys', headers: { 'content-type': 'application/json' }, body, repeatable: false, signal })
      .catch((error: unknown) => {
        throw isDriverError(error) ? withAdvice(error) : error;
      }),
  );
  let answer: unknown;
  try {
    answer = JSON.parse(await response.text());
  } catch (error) {
    throw isDriverError(error) ? withAdvice(error) : badAnswer('POST /keys', "it isn't a key");
  }
  const value = isObject(answer) ? textOfField(answer, 'value') : undefined;
  const principal = principalOf(answer, now);
  return { principal, ...(value === undefined ? {} : { secret: { label: 'API key', value } }) };
}

/** The server's errors for a new key, with advice. */
function withAdvice(error: DriverError): DriverError {
  switch (error.code) {
    case 'CONFLICT':
      return new DriverError('CONFLICT', 'Another key has this value already.', {
        cause: error,
        details: {
          ...error.details,
          field: 'value',
          advice: 'Leave the value empty, so that the server generates one.',
          texts: faultTexts('fault.keyValueTaken', {}, 'fault.keyValueTaken.advice'),
        },
      });
    case 'CONNECTION_LOST':
    case 'TIMEOUT':
      return new DriverError(
        error.code,
        'The response was lost: the key may have been created, and its value is shown only once.',
        {
          cause: error,
          details: {
            ...error.details,
            advice: 'Look for it in the list, delete it, and add another one.',
            texts: faultTexts('fault.keyLost', {}, 'fault.keyLost.advice'),
          },
        },
      );
    default:
      return error;
  }
}
