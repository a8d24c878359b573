import { DriverError } from '@tabularium/sdk';
import type { ObjectChange, ObjectsFacet } from '@tabularium/sdk';

/** Words of a database in memory: documents by name. Shows two of a list at a time, and refuses a document without a `text`. */
export function fakeObjects(words: Map<string, string>): ObjectsFacet {
  const plan = ({ action, object: { name, kind }, ...more }: ObjectChange): void => {
    if (kind !== 'word') throw new DriverError('INVALID_INPUT', `There is no kind “${kind}”.`);
    const before = words.get(name);
    if (action === 'remove') {
      if (before === undefined) throw new DriverError('NOT_FOUND', `There is no word “${name}”.`);
      return;
    }
    const { document, was } = more as { readonly document: string; readonly was: string | null };
    if (!document.includes('"text"'))
      throw new DriverError('INVALID_INPUT', 'A word needs a text.', { details: { field: 'document' } });
    if ((before ?? null) !== was) throw new DriverError('CONFLICT', `There is a word “${name}” already.`);
  };
  return {
    kinds: async () => [
      {
        id: 'word',
        term: { one: 'Word', other: 'Words' },
        help: 'Words of a fake.',
        scope: 'server',
        columns: [{ id: 'text', label: 'Text' }],
        form: [{ path: ['text'], type: 'text', label: 'Text', required: true }],
        save: { allowed: true },
        remove: { allowed: true },
      },
    ],
    async list({ kind }, next = '0') {
      if (kind !== 'word') throw new DriverError('INVALID_INPUT', `There is no kind “${kind}”.`);
      const to = Number(next) + 2;
      const objects = [...words.keys()].slice(Number(next), to).map((name) => ({ name, facts: { text: words.get(name) ?? '' } }));
      return { objects, ...(to < words.size ? { next: String(to) } : {}) };
    },
    async get({ name }) {
      const document = words.get(name);
      if (document === undefined) throw new DriverError('NOT_FOUND', `There is no word “${name}”.`);
      return { name, document };
    },
    async plan(change) {
      plan(change);
      const { name } = change.object;
      return change.action === 'remove'
        ? {
            effect: 'destructive',
            consequence: `The word “${name}” is removed.`,
            requests: [{ method: 'DELETE', path: `/${name}` }],
          }
        : {
            effect: 'write',
            consequence: `The word “${name}” is written.`,
            requests: [{ method: 'PUT', path: `/${name}`, body: change.document }],
          };
    },
    async apply(change) {
      plan(change);
      if (change.action === 'remove') words.delete(change.object.name);
      else words.set(change.object.name, change.document);
    },
  };
}
