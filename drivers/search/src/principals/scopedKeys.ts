import { createHmac } from 'node:crypto';
import { isDriverError } from '@tabularium/sdk';
import type { CredentialGenerator, GeneratedCredential, PrincipalField, PrincipalInput } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { isObject, textOfField } from '../guards.ts';
import { expiry, one, refused } from './keyInput.ts';
import { SHOWN_CHARACTERS } from './keys.ts';
import { withTexts } from './withTexts.ts';
import { faultTexts } from '../faultTexts.ts';

const SEARCH_ACTION = 'documents:search';
/** Members of the form that have a field of their own. */
const OWN_FIELDS = ['filter_by', 'expires_at'];

const FORM: readonly PrincipalField[] = [
  {
    id: 'parent',
    label: 'Parent key',
    required: true,
    type: 'secret',
    help: 'The value of a key whose only action is documents:search. It is used here once, and neither stored nor sent to the server.',
  },
  {
    id: 'filter',
    label: 'Filter',
    required: false,
    type: 'text',
    help: 'Added to every search, in the server’s own syntax, such as tenant:=`acme`.',
  },
  { id: 'expiresAt', label: 'Expires', required: false, type: 'time', help: 'Empty: with its parent key.' },
  {
    id: 'parameters',
    label: 'Other search parameters',
    required: false,
    type: 'text',
    help: 'A JSON object, such as {"exclude_fields":"cost"}. They override those of a search; the server ignores names that it does not know.',
  },
];

/**
 * Scoped search keys: a search-only key with parameters that each search is made with. The server checks them by the parent key, so that no
 * request makes one.
 */
export function createScopedKeys(client: SearchClient): CredentialGenerator {
  return {
    term: { one: 'Scoped Search Key', other: 'Scoped Search Keys' },
    help: 'A scoped search key adds a filter to every search. It is computed on this computer from a search-only key; the server keeps no list of scoped keys.',
    texts: { help: { id: 'scopedKey.help' } },
    form: () => Promise.resolve(FORM.map((field) => withTexts(field, 'scopedKey'))),
    async generate(input, { signal }) {
      signal.throwIfAborted();
      const parent = one(input, 'parent')?.trim();
      if (parent === undefined) throw refused('parent', 'Enter the value of a search-only key.', faultTexts('fault.parentKey'));
      if (parent.length < SHOWN_CHARACTERS)
        throw refused('parent', 'The value of a key has more characters.', faultTexts('fault.parentShort'));
      const parameters = parametersOf(input, new Date());
      await checkParent(parent, client, signal);
      return credential(parent, parameters);
    },
  };
}

function parametersOf(input: PrincipalInput, now: Date): Readonly<Record<string, unknown>> {
  const filter = one(input, 'filter')?.trim();
  const expires = expiry(one(input, 'expiresAt')?.trim(), now);
  const others = otherParameters(one(input, 'parameters'));
  const parameters = {
    ...others,
    ...(filter === undefined ? {} : { filter_by: filter }),
    ...(expires === undefined ? {} : { expires_at: expires }),
  };
  if (Object.keys(parameters).length === 0) {
    throw refused(
      'filter',
      'Enter a filter, a time or another parameter. Without one, the key could do what its parent can.',
      faultTexts('fault.scopedNothing'),
    );
  }
  return parameters;
}

function otherParameters(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!isObject(value))
    throw refused('parameters', 'Enter a JSON object, such as {"exclude_fields":"cost"}.', faultTexts('fault.scopedJson'));
  const own = OWN_FIELDS.find((name) => Object.hasOwn(value, name));
  if (own !== undefined)
    throw refused('parameters', `“${own}” has a field of its own in this form.`, faultTexts('fault.scopedOwn', { name: own }));
  // With a list or an object, every search with the key would fail (29.0, 30.0).
  const nested = Object.entries(value).find(([, entry]) => entry === null || typeof entry === 'object')?.[0];
  if (nested !== undefined)
    throw refused(
      'parameters',
      `The value of “${nested}” must be text, a number, true or false.`,
      faultTexts('fault.scopedValue', { name: nested }),
    );
  return value;
}

/**
 * Looks among the keys of the server, where the connection's key may list them, whether one can be the parent. The value stays here: servers show
 * the first characters of each key.
 */
async function checkParent(parent: string, client: SearchClient, signal: AbortSignal): Promise<void> {
  const prefix = parent.slice(0, SHOWN_CHARACTERS);
  const keys = await listedKeys(client, signal);
  if (keys === undefined) return;
  const candidates = keys.filter((key) => textOfField(key, 'value_prefix') === prefix);
  if (candidates.length === 0)
    throw refused('parent', 'The server has no key that begins like this one.', faultTexts('fault.parentUnknown'));
  if (!candidates.some(({ actions }) => Array.isArray(actions) && actions.length === 1 && actions[0] === SEARCH_ACTION)) {
    throw refused(
      'parent',
      'The server accepts scoped keys only of a key whose only action is documents:search. This key has other actions.',
      faultTexts('fault.parentActions'),
    );
  }
}

async function listedKeys(client: SearchClient, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>[] | undefined> {
  try {
    const { value } = await client.read('/keys', signal);
    const keys = isObject(value) ? value['keys'] : undefined;
    return Array.isArray(keys) ? keys.filter(isObject) : undefined;
  } catch (error) {
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return undefined;
    throw error;
  }
}

/** `base64(base64(HMAC-SHA256(parent, parameters)) + first four characters of the parent + parameters)`. */
function credential(parent: string, parameters: Readonly<Record<string, unknown>>): GeneratedCredential {
  const text = JSON.stringify(parameters);
  const digest = createHmac('sha256', parent).update(text).digest('base64');
  const value = Buffer.from(`${digest}${parent.slice(0, SHOWN_CHARACTERS)}${text}`).toString('base64');
  return {
    secret: { label: 'Scoped search key', value },
    notes: [
      'It may search in the collections of its parent key, and nothing else.',
      'It ends when its parent key ends. Delete the parent key to revoke it.',
    ],
  };
}
