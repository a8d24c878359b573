import { DriverError, isDriverError } from '@tabularium/sdk';
import type {
  DriverTexts,
  ObjectChange,
  ObjectField,
  ObjectPlace,
  ObjectRef,
  ObjectsFacet,
  PlannedChange,
} from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { sameValue } from '../edits/exactValue.ts';
import type { Schemas } from '../schemas.ts';
import { sendChange } from '../sendChange.ts';
import { collectionName } from '../tables.ts';
import type { PinRules } from '../ranked/pinRules.ts';
import { has, versionNumber } from '../versions.ts';
import { aliasSource } from './aliases.ts';
import { newAnalyticsSource, oldAnalyticsSource } from './analyticsRules.ts';
import { curationItemSource, curationSetSource, curationSource } from './curations.ts';
import { conversationModelSource, searchModelSource } from './models.ts';
import { documentFault } from './documentFault.ts';
import { placeHit } from './hitRules.ts';
import { documentWithout, memberAt, objectMembers, refusedDocument, shortened } from './objectDocument.ts';
import type { ObjectMembers } from './objectDocument.ts';
import type { Consequence, ObjectHolder, ObjectSource } from './objectSource.ts';
import { presetSource, stopwordSource } from './searchSettings.ts';
import { curationLinkSource, synonymLinkSource } from './setLinks.ts';
import { stemmingSource } from './stemming.ts';
import { synonymItemSource, synonymSetSource, synonymSource } from './synonyms.ts';
import { twiceNamed } from './twiceNamed.ts';
import { faultTexts } from '../faultTexts.ts';

/** Objects of one part of a list. */
const PART = 1_000;
/** Where the server hides its version, the objects of this one are offered. */
const USUAL_VERSION = 29;

/** The objects that a server has beside its collections. */
export function createObjects(
  client: SearchClient,
  schemas: Schemas,
  pinRules: Pick<PinRules, 'forget'>,
  version?: string,
): ObjectsFacet {
  const number = versionNumber(version) ?? USUAL_VERSION;
  const sources = [
    aliasSource(client),
    synonymSource(client),
    synonymLinkSource(client),
    synonymSetSource(client),
    synonymItemSource(client),
    curationSource(client),
    curationLinkSource(client),
    curationSetSource(client),
    curationItemSource(client),
    presetSource(client),
    stopwordSource(client),
    stemmingSource(client),
    oldAnalyticsSource(client),
    newAnalyticsSource(client),
    searchModelSource(client),
    conversationModelSource(client),
  ].filter(({ versions }) => has(number, versions));
  const byKind = new Map(sources.map((source) => [source.kind.id, source]));

  const placed = (place: ObjectPlace): { source: ObjectSource; holder: ObjectHolder } => {
    const source = byKind.get(place.kind);
    if (source === undefined)
      throw new DriverError('INVALID_INPUT', `This server has no objects of the kind “${place.kind}”.`, {
        details: { texts: faultTexts('fault.noKind', { kind: place.kind }) },
      });
    return { source, holder: holderOf(place, source) };
  };

  /** The object as it is now; undefined: there is none. */
  const now = async (object: ObjectRef, signal: AbortSignal): Promise<ObjectMembers | undefined> => {
    const { source, holder } = placed(object);
    try {
      return await source.read(object.name, holder, signal);
    } catch (error) {
      if (isDriverError(error) && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  };

  const prepare = async (change: ObjectChange, signal: AbortSignal): Promise<PlannedChange> => {
    const { source, holder } = placed(change.object);
    const ability = change.action === 'save' ? source.kind.save : source.kind.remove;
    if (!ability.allowed) {
      const reason = ability.texts?.['reason'];
      throw new DriverError(
        'UNSUPPORTED',
        ability.reason,
        reason === undefined ? {} : { details: { texts: { message: reason } } },
      );
    }
    if (!change.object.name.isWellFormed()) {
      throw new DriverError('INVALID_INPUT', 'The name has half of a character, which no request can carry.', {
        details: { field: 'name', texts: faultTexts('fault.halfName') },
      });
    }
    if (change.action === 'save') checkDocument(change, source);
    const before = await now(change.object, signal);
    if (before === undefined && (await holderIsGone(holder, source, signal))) throw noHolder(holder);
    mustBeAsSeen(change, before, source);
    const consequence = await source.consequence?.(change, before, signal);
    const requests = await source.requests(change, before, holder, signal);
    return {
      effect: change.action === 'remove' ? 'destructive' : 'write',
      ...(consequence ?? usualConsequence(change, before, source)),
      requests,
    };
  };

  return {
    async kinds({ signal }) {
      signal.throwIfAborted();
      return sources.map(({ kind }) => kind);
    },
    async list(place, next, { signal }) {
      signal.throwIfAborted();
      const { source, holder } = placed(place);
      const from = next === undefined ? 0 : Number(next);
      if (!Number.isSafeInteger(from) || from < 0)
        throw new DriverError('INVALID_INPUT', 'This isn’t the mark of a part of a list.', {
          details: { texts: faultTexts('fault.noMark') },
        });
      // A name that the contract has no room for is left out: it would take the whole list with it.
      const all = (await source.list(holder, signal)).filter(({ name }) => name !== '' && name.length <= LONGEST_NAME);
      const objects = all.slice(from, from + PART).map(({ name, members }) => ({
        name,
        facts: Object.fromEntries(
          Object.entries(source.facts(members)).flatMap(([column, fact]) =>
            fact === undefined ? [] : [[column, shortened(fact)]],
          ),
        ),
      }));
      return { objects, ...(from + PART < all.length ? { next: String(from + PART) } : {}) };
    },
    async get(object, { signal }) {
      signal.throwIfAborted();
      const { source, holder } = placed(object);
      const members = await named(source, object, () => source.read(object.name, holder, signal));
      return { name: object.name, document: documentWithout(members, source.nameMember) };
    },
    plan: (change, { signal }) => {
      signal.throwIfAborted();
      return prepare(change, signal);
    },
    async apply(change, { signal }) {
      signal.throwIfAborted();
      const { requests } = await prepare(change, signal);
      try {
        for (const request of requests) await sendChange(request, client, { signal });
      } finally {
        schemas.clear();
        pinRules.forget();
      }
    },
    placeHit(hit, { signal }) {
      signal.throwIfAborted();
      const curations = { ofCollection: byKind.get('curation'), ofSet: byKind.get('curation-item') };
      return placeHit(client, curations, hit, signal);
    },
  };
}

/** @throws DriverError `INVALID_INPUT` for a table or a set where the kind has none, or none where it has one */
function holderOf({ table, within }: ObjectPlace, { kind }: ObjectSource): ObjectHolder {
  if ((kind.scope === 'table') !== (table !== undefined)) {
    throw new DriverError(
      'INVALID_INPUT',
      kind.scope === 'table'
        ? `${kind.term.other} are of one collection: name it.`
        : `${kind.term.other} are of the server, not of one collection.`,
      { details: { field: 'table', texts: faultTexts('fault.objectTable', { scope: kind.scope }) } },
    );
  }
  if ((kind.within === undefined) !== (within === undefined)) {
    throw new DriverError(
      'INVALID_INPUT',
      kind.within === undefined ? `${kind.term.other} are in no set.` : `${kind.term.other} are in a set: name it.`,
      {
        details: { field: 'within', texts: faultTexts('fault.objectSet', { has: kind.within === undefined ? 'none' : 'some' }) },
      },
    );
  }
  return {
    ...(table === undefined ? {} : { collection: collectionName(table) }),
    ...(within === undefined ? {} : { within }),
  };
}

/** The translation of a sentence about one object. */
function namedText(is: 'missing' | 'exists' | 'removed' | 'changed', name: string): DriverTexts {
  return { message: { id: `object.${is}`, values: { name: name.slice(0, 400) } } };
}

/** An error for a missing object that names it. */
async function named<T>({ kind }: ObjectSource, { name }: ObjectRef, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isDriverError(error) || error.code !== 'NOT_FOUND') throw error;
    throw new DriverError('NOT_FOUND', `There is no ${kind.term.one.toLowerCase()} “${name}”.`, {
      cause: error,
      details: { ...error.details, texts: { ...error.details.texts, ...namedText('missing', name) } },
    });
  }
}

/** Whether what has the objects is not there, so that none can be made in it. */
async function holderIsGone(holder: ObjectHolder, source: ObjectSource, signal: AbortSignal): Promise<boolean> {
  if (holder.collection === undefined && holder.within === undefined) return false;
  try {
    await source.list(holder, signal);
    return false;
  } catch (error) {
    if (!isDriverError(error) || error.code === 'CANCELLED') throw error;
    return error.code === 'NOT_FOUND';
  }
}

/** Characters of a name in the contract. */
const LONGEST_NAME = 1_000;

function noHolder({ collection, within }: ObjectHolder): DriverError {
  return new DriverError(
    'NOT_FOUND',
    collection === undefined ? `There is no set “${within ?? ''}”.` : `There is no collection “${collection}”.`,
    {
      details: {
        texts:
          collection === undefined
            ? faultTexts('fault.noSet', { name: within ?? '' })
            : faultTexts('fault.noCollection', { name: collection }),
      },
    },
  );
}

function checkDocument({ object, document, was }: Extract<ObjectChange, { action: 'save' }>, source: ObjectSource): void {
  const { kind, nameMember } = source;
  const members = objectMembers(document);
  const own = Object.hasOwn(members, nameMember) ? members[nameMember] : undefined;
  if (own !== undefined && own !== object.name) {
    throw refusedDocument(
      `The document names itself ${JSON.stringify(own)}, and the object is “${object.name}”: leave “${nameMember}” away.`,
      { id: 'object.otherName', values: { own: JSON.stringify(own), name: object.name, member: nameMember } },
    );
  }
  const missing = kind.form.find((field: ObjectField) => {
    const value = memberAt(members, field.path);
    // The server takes an empty text and keeps an object that does nothing.
    return field.required && (value === undefined || value === null || value === '');
  });
  if (missing !== undefined)
    throw refusedDocument(`The document has no “${missing.path.join('.')}” (${missing.label}).`, {
      id: 'object.lacks',
      values: { member: missing.path.join('.') },
    });
  const twice = twiceNamed(document);
  // The server takes the last of two, and the first is gone in silence.
  if (twice !== undefined) {
    throw refusedDocument(`The document has “${twice}” twice in one object.`, { id: 'object.twice', values: { member: twice } });
  }
  const before = was === null ? undefined : objectMembers(was);
  const found = documentFault(members, kind.form, before) ?? source.fault?.(members);
  if (found !== undefined) {
    throw refusedDocument(`The document can’t be saved: ${found}`, { id: 'object.fault', values: { what: found } });
  }
}

/** @throws DriverError `CONFLICT` where the object is another than the change began from */
function mustBeAsSeen(change: ObjectChange, before: ObjectMembers | undefined, { kind, nameMember }: ObjectSource): void {
  const { name } = change.object;
  const what = `${kind.term.one.toLowerCase()} “${name}”`;
  const { was } = change;
  if (change.action === 'remove') {
    if (before === undefined)
      throw new DriverError('NOT_FOUND', `There is no ${what}.`, { details: { texts: namedText('missing', name) } });
  }
  if (was === undefined) return;
  if (was === null) {
    if (before === undefined) return;
    throw new DriverError('CONFLICT', `The ${what} exists already.`, {
      details: {
        field: 'name',
        advice: 'Choose another name, or open that one and change it.',
        texts: { ...namedText('exists', name), advice: { id: 'object.exists.advice' } },
      },
    });
  }
  if (before !== undefined && sameValue(objectMembers(was), objectMembers(documentWithout(before, nameMember)))) return;
  throw new DriverError(
    'CONFLICT',
    before === undefined ? `The ${what} was removed meanwhile.` : `The ${what} was changed meanwhile.`,
    {
      details: {
        advice: 'Open it again to see what it is now. Nothing was changed.',
        texts: {
          ...namedText(before === undefined ? 'removed' : 'changed', name),
          advice: { id: 'object.changed.advice' },
        },
      },
    },
  );
}

function usualConsequence(change: ObjectChange, before: ObjectMembers | undefined, { kind }: ObjectSource): Consequence {
  const { name } = change.object;
  const what = `The ${kind.term.one.toLowerCase()} “${name}”`;
  const said = (id: string): DriverTexts => ({ consequence: { id, values: { name } } });
  if (change.action === 'remove')
    return { consequence: `${what} is removed. This cannot be undone.`, texts: said('objectPlan.remove') };
  return before === undefined
    ? { consequence: `${what} is added.`, texts: said('objectPlan.add') }
    : { consequence: `${what} is replaced by this document.`, texts: said('objectPlan.replace') };
}
