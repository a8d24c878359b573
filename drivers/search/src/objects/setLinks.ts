import { DriverError, driverText, isDriverError, listOfNames } from '@tabularium/sdk';
import type { ObjectChange } from '@tabularium/sdk';
import { badAnswer } from '../client.ts';
import type { SearchClient } from '../client.ts';
import type { ExactValue } from '../edits/exactValue.ts';
import { isExactObject } from '../edits/exactValue.ts';
import { collectionPath } from '../paths.ts';
import { LIST_PATH } from '../tables.ts';
import { objectKind } from './objectKind.ts';
import { jsonRequest, readExactly } from './objectSource.ts';
import type { Consequence, ObjectSource } from './objectSource.ts';
import { faultTexts } from '../faultTexts.ts';

type SetMember = 'curation_sets' | 'synonym_sets';

const WORDS = {
  synonym_sets: {
    one: 'synonym set',
    missing: 'searches there would fail',
    texts: {
      unknown: 'objectPlan.synonym_sets.unknown',
      linked: 'objectPlan.synonym_sets.linked',
      remove: 'objectPlan.synonym_sets.remove',
    },
  },
  curation_sets: {
    one: 'curation set',
    missing: 'its rules would no longer act there',
    texts: {
      unknown: 'objectPlan.curation_sets.unknown',
      linked: 'objectPlan.curation_sets.linked',
      remove: 'objectPlan.curation_sets.remove',
    },
  },
} as const;

/**
 * The consequence of a change of a set. A set that a collection still names is not removed: without a synonym set, searches of that collection fail
 * with 404 `Synonym index not found`, and a name without a curation set hides that rules are gone.
 */
export function linkedSetConsequence(client: SearchClient, member: SetMember): NonNullable<ObjectSource['consequence']> {
  return async (change, before, signal): Promise<Consequence | undefined> => {
    const { name } = change.object;
    const { one, missing, texts } = WORDS[member];
    const linked = await collectionsWith(client, member, name, signal);
    if (change.action === 'save') {
      if (before === undefined || linked === undefined || linked.length === 0) return undefined;
      return {
        consequence: `The ${one} “${name}” is replaced as a whole, which changes the searches of ${listed(linked)}.`,
        texts: { consequence: driverText('objectPlan.set.replace', { name, collections: linked }) },
      };
    }
    if (linked === undefined) {
      return {
        consequence: `The ${one} “${name}” is removed with all its entries. This key may not list collections, so it isn’t known whether one still uses the set; if so, ${missing}.`,
        texts: { consequence: { id: texts.unknown, values: { name } } },
      };
    }
    if (linked.length > 0) {
      throw new DriverError('CONFLICT', `The ${one} “${name}” is still linked to ${listed(linked)}: ${missing}.`, {
        details: {
          advice: 'Unlink it there first.',
          texts: {
            message: driverText(texts.linked, { name, collections: linked }),
            advice: { id: 'objectPlan.unlinkFirst' },
          },
        },
      });
    }
    return {
      consequence: `The ${one} “${name}” is removed with all its entries. No collection uses it.`,
      texts: { consequence: { id: texts.remove, values: { name } } },
    };
  };
}

function listed(names: readonly string[]): string {
  return listOfNames(names.map((name) => `“${name}”`));
}

/** Collections that name a set; undefined where the key may not list collections. */
async function collectionsWith(
  client: SearchClient,
  member: SetMember,
  name: string,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  try {
    const { value } = await client.read(LIST_PATH, signal);
    if (!Array.isArray(value)) throw badAnswer('GET /collections', "it isn't a list of collections");
    return value.flatMap((entry: unknown) => {
      const collection = isExactObject(entry) ? entry['name'] : undefined;
      return typeof collection === 'string' && setNames(entry, member).includes(name) ? [collection] : [];
    });
  } catch (error) {
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return undefined;
    throw error;
  }
}

/** The names of the sets that a collection uses, in its order. */
export function setNames(collection: ExactValue, member: SetMember): readonly string[] {
  const names = isExactObject(collection) ? collection[member] : undefined;
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
}

/** The sets that a collection uses. A link has a name and nothing else. */
function linkSource(client: SearchClient, member: SetMember, kind: ObjectSource['kind']): ObjectSource {
  const namesOf = async (collection: string, signal: AbortSignal): Promise<readonly string[]> =>
    setNames(await readExactly(client, collectionPath(collection), signal), member);
  return {
    kind,
    versions: { since: 30 },
    nameMember: 'name',
    async list({ collection = '' }, signal) {
      return (await namesOf(collection, signal)).map((name) => ({ name, members: { name } }));
    },
    async read(name, { collection = '' }, signal) {
      if ((await namesOf(collection, signal)).includes(name)) return { name };
      throw new DriverError('NOT_FOUND', `The set “${name}” isn’t linked to the collection “${collection}”.`, {
        details: { texts: faultTexts('fault.notLinked', { name, collection }) },
      });
    },
    facts: () => ({}),
    async requests({ action, object }, before, { collection = '' }, signal) {
      const names = await namesOf(collection, signal);
      const others = names.filter((name) => name !== object.name);
      const after = action === 'remove' ? others : before === undefined ? [...names, object.name] : names;
      return [jsonRequest('PATCH', collectionPath(collection), JSON.stringify({ [member]: after }))];
    },
    async consequence({ action, object: { name, table } }: ObjectChange): Promise<Consequence> {
      const values = { name, collection: table?.name ?? '' };
      return action === 'save'
        ? {
            consequence: `Searches of the collection “${values.collection}” use the set “${name}” from then on.`,
            texts: { consequence: { id: 'objectPlan.link', values } },
          }
        : {
            consequence: `Searches of the collection “${values.collection}” no longer use the set “${name}”. The set stays.`,
            texts: { consequence: { id: 'objectPlan.unlink', values } },
          };
    },
  };
}

/** The synonym sets of a collection. */
export function synonymLinkSource(client: SearchClient): ObjectSource {
  const kind = objectKind({
    id: 'synonym-link',
    term: { one: 'Linked Synonym Set', other: 'Linked Synonym Sets' },
    help: 'Synonym sets that searches of this collection use.',
    scope: 'table',
    names: 'synonym-set',
    columns: [],
    form: [],
  });
  return linkSource(client, 'synonym_sets', kind);
}

/** The curation sets of a collection. */
export function curationLinkSource(client: SearchClient): ObjectSource {
  const kind = objectKind({
    id: 'curation-link',
    term: { one: 'Linked Curation Set', other: 'Linked Curation Sets' },
    help: 'Curation sets that searches of this collection use.',
    scope: 'table',
    names: 'curation-set',
    columns: [],
    form: [],
  });
  return linkSource(client, 'curation_sets', kind);
}
