import { DriverError, isDriverError } from '@tabularium/sdk';
import type { HitPlacement, ObjectChange, ObjectPlace } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { digitsOf, exactNumber, isExactObject, sameValue } from '../edits/exactValue.ts';
import type { ExactValue } from '../edits/exactValue.ts';
import { collectionPath } from '../paths.ts';
import { documentId } from '../documentId.ts';
import { collectionSigns, ruleQuery, wordsOfRule, wordsOfSearch } from '../ruleWords.ts';
import type { CollectionSigns } from '../ruleWords.ts';
import { collectionName } from '../tables.ts';
import { documentWithout, memberAt } from './objectDocument.ts';
import type { ObjectMembers } from './objectDocument.ts';
import { readExactly } from './objectSource.ts';
import type { NamedObject, ObjectSource } from './objectSource.ts';
import { setNames } from './setLinks.ts';
import { faultTexts } from '../faultTexts.ts';

/** Where curation rules are: of a collection before version 30, in sets from 30 on. Exactly one is there. */
export interface CurationSources {
  readonly ofCollection: ObjectSource | undefined;
  readonly ofSet: ObjectSource | undefined;
}

/** A rule, and where it is. */
interface PlacedRule extends NamedObject {
  readonly place: ObjectPlace;
}

const NAME_MEMBER = 'id';
/** Members that say when a rule acts and how, and do nothing without another one. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  NAME_MEMBER,
  'rule',
  'includes',
  'excludes',
  'remove_matched_tokens',
  'filter_curated_hits',
  'stop_processing',
  'effective_from_ts',
  'effective_to_ts',
]);
const LONGEST_SLUG = 60;

/** The change of one curation rule that gives a document this place in searches for exactly these words. */
export async function placeHit(
  client: SearchClient,
  sources: CurationSources,
  hit: HitPlacement,
  signal: AbortSignal,
): Promise<ObjectChange> {
  const id = documentId(hit.key);
  const { place, rules, signs } = await rulesOf(client, sources, collectionName(hit.table), signal);
  const words = wordsOfSearch(hit.text, signs);
  // The server drops signs: a rule for them alone acts on the empty search and on every other one of signs.
  if (!/[\p{L}\p{N}]/u.test(words)) {
    throw new DriverError('INVALID_INPUT', 'A rule acts on searches for certain words: there are none.', {
      details: { field: 'text', texts: faultTexts('fault.ruleWords') },
    });
  }
  const own = rules.filter(({ members }) => isFor(members, words, signs));
  if (hit.action === 'release') {
    const named = own.find(({ members }) => names(members, id));
    if (named === undefined) throw nothingToRelease(rules, id, hit.text.trim());
    return changed(named, { includes: without(named, 'includes', id), excludes: without(named, 'excludes', id) });
  }
  // A rule for a certain time would place the document only then.
  const rule = own.find(({ members }) => !isTimed(members));
  if (rule === undefined) {
    const name = freeName(words, rules);
    const document = {
      rule: { query: ruleQuery(hit.text, signs), match: 'exact' },
      ...(hit.action === 'pin' ? { includes: [pin(id, hit.rank)] } : { excludes: [{ id }] }),
    };
    return { action: 'save', object: { ...place, name }, document: JSON.stringify(document), was: null };
  }
  const lists =
    hit.action === 'pin'
      ? { includes: withPin(without(rule, 'includes', id), id, hit.rank), excludes: without(rule, 'excludes', id) }
      : { includes: without(rule, 'includes', id), excludes: [...without(rule, 'excludes', id), { id }] };
  const change = changed(rule, lists);
  if (sameValue(lists.includes, listOf(rule, 'includes')) && sameValue(lists.excludes, listOf(rule, 'excludes'))) {
    throw isSoAlready(rule, hit, inTheWay(rules, rule, words, signs));
  }
  return change;
}

/**
 * Another rule that the server may take for the same words: of two, one acts. Some servers drop letters beyond those of ASCII, and a rule for a part of the words
 * or for tags acts as well.
 */
function inTheWay(rules: readonly PlacedRule[], own: PlacedRule, words: string, signs: CollectionSigns): string | undefined {
  const ascii = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '').trim();
  return rules.find(({ name, members }) => {
    const query = memberAt(members, ['rule', 'query']);
    if (name === own.name || typeof query !== 'string') return false;
    const others = wordsOfRule(query, signs);
    return memberAt(members, ['rule', 'match']) === 'exact' ? ascii(others) === ascii(words) : words.includes(others);
  })?.name;
}

function isSoAlready({ name: rule }: PlacedRule, hit: HitPlacement, other: string | undefined): DriverError {
  const state = hit.action === 'pin' ? `pins this document at place ${hit.rank}` : 'hides this document';
  const way = other === undefined ? '' : ` The rule “${other}” acts on these words as well, and may come first.`;
  return new DriverError('CONFLICT', `The rule “${rule}” ${state} already.${way}`, {
    details: {
      ...(other === undefined ? {} : { advice: `Look at the rule “${other}” in Objects: change it, or remove it.` }),
      texts: faultTexts(
        'fault.ruleAlready',
        {
          ...{ rule, action: hit.action, rank: hit.action === 'pin' ? hit.rank : 0 },
          ...{ has: other === undefined ? 'none' : 'other', other: other ?? '' },
        },
        other === undefined ? undefined : 'fault.ruleAlready.advice',
        { other: other ?? '' },
      ),
    },
  });
}

/** The rules of a collection in the order in which the server has them, and the place for a new one. */
async function rulesOf(
  client: SearchClient,
  { ofCollection, ofSet }: CurationSources,
  collection: string,
  signal: AbortSignal,
): Promise<{ readonly place: ObjectPlace; readonly rules: readonly PlacedRule[]; readonly signs: CollectionSigns }> {
  const described = await readExactly(client, collectionPath(collection), signal);
  const signs = collectionSigns(described);
  if (ofCollection !== undefined) {
    // An alias has no rules of its own.
    const named = isExactObject(described) ? described['name'] : undefined;
    const name = typeof named === 'string' ? named : collection;
    const place = { kind: ofCollection.kind.id, table: { namespace: [], name } };
    const rules = await ofCollection.list({ collection: name }, signal);
    return { place, rules: rules.map((rule) => ({ ...rule, place })), signs };
  }
  if (ofSet === undefined)
    throw new DriverError('UNSUPPORTED', 'This server has no curation rules.', {
      details: { texts: faultTexts('fault.noCuration') },
    });
  const rules: PlacedRule[] = [];
  let first: ObjectPlace | undefined;
  for (const within of setNames(described, 'curation_sets')) {
    const place = { kind: ofSet.kind.id, within };
    const found = await rulesOfSet(ofSet, within, signal);
    if (found === undefined) continue;
    first ??= place;
    rules.push(...found.map((rule) => ({ ...rule, place })));
  }
  if (first !== undefined) return { place: first, rules, signs };
  throw new DriverError('UNSUPPORTED', `The collection “${collection}” uses no curation set, so it has no place for a rule.`, {
    details: {
      advice: 'In Objects, add a curation set and link it to the collection.',
      texts: {
        message: { id: 'hitRule.noSet', values: { collection } },
        advice: { id: 'hitRule.linkSet' },
      },
    },
  });
}

/** Undefined for a set that is gone: the collection still names it. */
async function rulesOfSet(
  source: ObjectSource,
  within: string,
  signal: AbortSignal,
): Promise<readonly NamedObject[] | undefined> {
  try {
    return await source.list({ within }, signal);
  } catch (error) {
    if (isDriverError(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Whether a rule acts on searches for exactly these words, and on no others. */
function isFor(members: ObjectMembers, words: string, signs: CollectionSigns): boolean {
  const part = (name: string): ExactValue => memberAt(members, ['rule', name]);
  const query = part('query');
  const isEmpty = (value: ExactValue): boolean =>
    value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  return (
    part('match') === 'exact' &&
    typeof query === 'string' &&
    wordsOfRule(query, signs) === words &&
    isEmpty(part('filter_by')) &&
    isEmpty(part('tags'))
  );
}

function isTimed(members: ObjectMembers): boolean {
  // The server answers -1 for a rule that has no end.
  return ['effective_from_ts', 'effective_to_ts'].some((name) => Number(digitsOf(members[name]) ?? -1) >= 0);
}

function listOf({ members }: NamedObject, name: 'includes' | 'excludes'): readonly ExactValue[] {
  const list = members[name];
  return Array.isArray(list) ? list : [];
}

function names(members: ObjectMembers, id: string): boolean {
  return (['includes', 'excludes'] as const).some((list) =>
    listOf({ name: '', members }, list).some((entry) => memberAt(entry, ['id']) === id),
  );
}

function without(rule: NamedObject, name: 'includes' | 'excludes', id: string): readonly ExactValue[] {
  return listOf(rule, name).filter((entry) => memberAt(entry, ['id']) !== id);
}

function pin(id: string, rank: number): { readonly id: string; readonly position: ExactValue } {
  return { id, position: exactNumber(String(rank)) };
}

/** The documents at that place and right behind it move one place on. */
function withPin(others: readonly ExactValue[], id: string, rank: number): readonly ExactValue[] {
  const at = (entry: ExactValue): number => Number(digitsOf(memberAt(entry, ['position'])) ?? 0);
  const moved = new Map<ExactValue, number>();
  let taken = rank;
  for (const entry of others.toSorted((a, b) => at(a) - at(b))) {
    if (at(entry) !== taken) continue;
    taken += 1;
    moved.set(entry, taken);
  }
  const rest = others.map((entry) => {
    const place = moved.get(entry);
    return place === undefined || !isExactObject(entry) ? entry : { ...entry, position: exactNumber(String(place)) };
  });
  return [...rest, pin(id, rank)];
}

/** The rule with other lists, or its removal where it does nothing any more. */
function changed(
  { place, name, members }: PlacedRule,
  lists: { readonly includes: readonly ExactValue[]; readonly excludes: readonly ExactValue[] },
): ObjectChange {
  const object = { ...place, name };
  const hasEffect = Object.entries(members).some(([member, value]) => !WITHOUT_EFFECT.has(member) && value !== '');
  const was = documentWithout(members, NAME_MEMBER);
  if (lists.includes.length + lists.excludes.length === 0 && !hasEffect) return { action: 'remove', object, was };
  const after: Record<string, ExactValue> = { ...members };
  for (const list of ['includes', 'excludes'] as const) {
    // The server leaves an empty list out of what it answers.
    if (lists[list].length > 0 || Object.hasOwn(members, list)) after[list] = lists[list];
  }
  return {
    action: 'save',
    object,
    document: documentWithout(after, NAME_MEMBER),
    was,
  };
}

/** A name that no rule has, from the words. */
function freeName(words: string, rules: readonly NamedObject[]): string {
  const base = words
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, LONGEST_SLUG)
    .toWellFormed()
    .replaceAll(/^-|-$/g, '');
  const taken = new Set(rules.map(({ name }) => name));
  let name = base;
  for (let count = 2; taken.has(name); count += 1) name = `${base}-${count}`;
  return name;
}

function nothingToRelease(rules: readonly PlacedRule[], id: string, text: string): DriverError {
  const other = rules.find(({ members }) => names(members, id));
  if (other === undefined)
    return new DriverError('CONFLICT', `No rule for “${text}” pins or hides this document.`, {
      details: { texts: faultTexts('fault.noRuleHere', { text }) },
    });
  return new DriverError(
    'CONFLICT',
    `The rule “${other.name}” names this document, and acts on other searches than those for exactly “${text}”.`,
    {
      details: {
        advice: 'Change that rule in Objects.',
        texts: faultTexts('fault.otherRule', { rule: other.name, text }, 'fault.otherRule.advice'),
      },
    },
  );
}
