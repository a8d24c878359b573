import type { Principal } from '@tabularium/sdk';
import { badAnswer } from '../client.ts';
import type { JsonObject } from '../guards.ts';
import { countOf, isObject, textOfField } from '../guards.ts';

/** The server's “never”, in the year 4021. */
const NEVER_SECONDS = 64_723_363_199;
/** Characters of a value that the server shows, and by which it finds the parent of a scoped key. */
export const SHOWN_CHARACTERS = 4;
/** The last second that a date can hold. */
const LAST_SECONDS = 8_640_000_000_000;

/** The keys of `GET /keys`, by number. */
export function principalsOf(answer: unknown, now: Date): Principal[] {
  const keys = isObject(answer) ? answer['keys'] : undefined;
  if (!Array.isArray(keys)) throw badAnswer('GET /keys', "it isn't a list of keys");
  return keys.map((key: unknown) => principalOf(key, now)).sort((a, b) => Number(a.id) - Number(b.id));
}

export function principalOf(key: unknown, now: Date): Principal {
  const number = isObject(key) ? countOf(key, 'id') : undefined;
  if (!isObject(key) || number === undefined) throw badAnswer('/keys', 'it holds a key without a number');
  const collections = textsOf(key, 'collections');
  const serverWide = collections.length === 0 || collections.includes('*');
  const description = (textOfField(key, 'description') ?? '').trim();
  const expires = countOf(key, 'expires_at');
  const expiresAt =
    expires === undefined || expires >= NEVER_SECONDS || expires > LAST_SECONDS ? undefined : new Date(expires * 1_000);
  // The answer to a new key has the value and no prefix.
  const prefix = textOfField(key, 'value_prefix') ?? textOfField(key, 'value')?.slice(0, SHOWN_CHARACTERS) ?? '';
  return {
    id: String(number),
    label: description === '' ? `Key #${number}` : description.slice(0, 200),
    reach: serverWide ? 'Server-wide' : collections.join(', ').slice(0, 4_000),
    serverWide,
    actions: textsOf(key, 'actions').map((action) => action.slice(0, 200)),
    attributes: [
      { label: 'Number', value: String(number) },
      ...(prefix === '' ? [] : [{ label: 'Starts with', value: prefix }]),
      ...(expiresAt !== undefined && expiresAt <= now ? [{ label: 'State', value: 'Expired' }] : []),
      ...(key['autodelete'] === true ? [{ label: 'When it expires', value: 'Deleted by the server' }] : []),
    ],
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
    removable: { allowed: true },
  };
}

function textsOf(key: JsonObject, member: string): string[] {
  const values = key[member];
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
}
