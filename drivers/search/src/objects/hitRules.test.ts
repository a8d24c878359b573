import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import type { HitPlacement, ObjectChange, ObjectsFacet, Session } from '@tabularium/sdk';
import { admin, call, open, startFixture } from '../fixture.test-helper.ts';

type Action = { action: 'pin'; rank: number } | { action: 'hide' } | { action: 'release' };

const TEXT = 'red fig';
const fruits = { namespace: [], name: 'fruits' };
/** By rank: the best first. */
const IDS = ['a', 'b', 'c', 'd', 'e'];
const NOTHING = { fields: [], facets: [], filter: { match: 'all' as const, conditions: [] }, sorts: [], options: {}, offset: 0 };

describe.each(sandboxVersions)('rules that place hits on version %s', (version) => {
  const hasSets = Number(version.split('.')[0]) >= 30;
  const rules = hasSets ? '/curation_sets/fruit-rules/items' : '/collections/fruits/overrides';
  let sandbox: Sandbox;
  let session: Session;
  let objects: ObjectsFacet;

  beforeAll(async () => {
    sandbox = await startFixture(version);
    session = await open(sandbox);
    if (session.objects === undefined) throw new Error('The session has no objects.');
    objects = session.objects;
  });
  beforeEach(async () => {
    await admin(sandbox, 'DELETE', '/collections/fruits').catch(() => undefined);
    const fields = [
      { name: 'title', type: 'string' },
      { name: 'weight', type: 'int32' },
    ];
    await admin(sandbox, 'POST', '/collections', JSON.stringify({ name: 'fruits', fields, default_sorting_field: 'weight' }));
    const documents = IDS.map((id, place) => JSON.stringify({ id, title: `red fig ${id}`, weight: 100 - place }));
    await admin(sandbox, 'POST', '/collections/fruits/documents/import', documents.join('\n'));
    await admin(sandbox, 'PUT', '/aliases/shop', JSON.stringify({ collection_name: 'fruits' }));
    if (!hasSets) return;
    await admin(sandbox, 'PUT', '/curation_sets/fruit-rules', '{"items":[]}');
    await admin(sandbox, 'PATCH', '/collections/fruits', '{"curation_sets":["fruit-rules"]}');
  });
  afterAll(async () => {
    await session.close();
    await sandbox.close();
  });

  const found = async (text = TEXT): Promise<readonly unknown[]> =>
    (await session.search?.search({ ...NOTHING, table: fruits, text, limit: 10 }, call))?.hits.map(({ key }) => key[0]) ?? [];
  const asked = async (id: string, action: Action, more: Partial<HitPlacement> = {}): Promise<ObjectChange> => {
    if (objects.placeHit === undefined) throw new Error('It places no hits.');
    return objects.placeHit({ table: fruits, text: TEXT, key: [id], ...more, ...action }, call);
  };
  const place = async (id: string, action: Action, more: Partial<HitPlacement> = {}): Promise<ObjectChange> => {
    const change = await asked(id, action, more);
    const { requests } = await objects.plan(change, call);
    expect(requests).toHaveLength(1);
    await objects.apply(change, call);
    return change;
  };
  const addRule = (id: string, rule: object): Promise<string> => admin(sandbox, 'PUT', `${rules}/${id}`, JSON.stringify(rule));
  const ruleNames = async (): Promise<readonly string[]> => {
    const answer = JSON.parse(await admin(sandbox, 'GET', rules)) as { id: string }[] | { overrides: { id: string }[] };
    return (Array.isArray(answer) ? answer : answer.overrides).map(({ id }) => id);
  };
  const ruleNamed = async (id: string): Promise<Record<string, unknown>> =>
    JSON.parse(await admin(sandbox, 'GET', `${rules}/${id}`)) as Record<string, unknown>;

  it('pins, moves, hides and releases a hit, in one rule that goes when it does nothing any more', async () => {
    expect(await found()).toEqual(IDS);
    const first = await place('d', { action: 'pin', rank: 1 });
    expect(first).toMatchObject({ action: 'save', object: { name: 'red-fig' }, was: null });
    expect(await found()).toEqual(['d', 'a', 'b', 'c', 'e']);
    await place('c', { action: 'pin', rank: 1 });
    expect(await found()).toEqual(['c', 'd', 'a', 'b', 'e']);
    await place('d', { action: 'pin', rank: 4 });
    expect(await found()).toEqual(['c', 'a', 'b', 'd', 'e']);
    await place('a', { action: 'hide' });
    expect(await found()).toEqual(['c', 'b', 'e', 'd']);
    expect(await ruleNames()).toEqual(['red-fig']);
    await place('a', { action: 'release' });
    await place('c', { action: 'release' });
    expect(await place('d', { action: 'release' })).toMatchObject({ action: 'remove', object: { name: 'red-fig' } });
    expect(await ruleNames()).toEqual([]);
    expect(await found()).toEqual(IDS);
  });

  it('shows a hidden hit again by pinning it, and hides a pinned one', async () => {
    await place('b', { action: 'hide' });
    await place('b', { action: 'pin', rank: 2 });
    expect(await found()).toEqual(['a', 'b', 'c', 'd', 'e']);
    await place('b', { action: 'hide' });
    expect(await found()).toEqual(['a', 'c', 'd', 'e']);
  });

  it('extends the rule for these words, however they are written, and keeps everything else that it does', async () => {
    await addRule('mine', {
      rule: { query: 'Red  FIG', match: 'exact' },
      includes: [{ id: 'e', position: 1 }],
      filter_by: 'weight:>0',
      metadata: { big: 1 },
    });
    await place('d', { action: 'pin', rank: 1 });
    expect(await ruleNames()).toEqual(['mine']);
    expect(await ruleNamed('mine')).toMatchObject({
      includes: [
        { id: 'e', position: 2 },
        { id: 'd', position: 1 },
      ],
      filter_by: 'weight:>0',
      metadata: { big: 1 },
    });
    await place('d', { action: 'release' });
    // It still filters.
    expect(await place('e', { action: 'release' })).toMatchObject({ action: 'save' });
    expect(await ruleNames()).toEqual(['mine']);
  });

  it.each([
    ['red fig!', 'red-fig'],
    ['r-ed fig', 'red fig'],
    ['{red} fig', 'red fig 🐈'],
    ['red. fig', 'red fig'],
  ])('makes one rule for %j and then %j, which the server takes for the same words', async (first, second) => {
    const text = second === 'red-fig' ? 'red fig' : second;
    await place('d', { action: 'pin', rank: 1 }, { text: first });
    expect(await found(first)).toEqual(['d', 'a', 'b', 'c', 'e']);
    await place('e', { action: 'pin', rank: 1 }, { text });
    expect(await ruleNames()).toHaveLength(1);
    expect(await found(text)).toEqual(['e', 'd', 'a', 'b', 'c']);
  });

  it('parts words as the collection does', async () => {
    await admin(sandbox, 'DELETE', '/collections/fruits');
    const fields = [{ name: 'title', type: 'string' }];
    const signs = { symbols_to_index: ['-'], token_separators: ['/'] };
    await admin(sandbox, 'POST', '/collections', JSON.stringify({ name: 'fruits', fields, ...signs }));
    if (hasSets) await admin(sandbox, 'PATCH', '/collections/fruits', '{"curation_sets":["fruit-rules"]}');
    const documents = IDS.map((id) => JSON.stringify({ id, title: `red fig ${id}` }));
    await admin(sandbox, 'POST', '/collections/fruits/documents/import', documents.join('\n'));
    await place('d', { action: 'pin', rank: 1 }, { text: 'red/fig' });
    expect(await asked('c', { action: 'pin', rank: 1 })).toMatchObject({ object: { name: 'red-fig' } });
    expect(await asked('c', { action: 'pin', rank: 1 }, { text: 'red-fig' })).toMatchObject({ was: null });
  });

  it('names the rule that is in the way where a saved one does not act', async () => {
    await addRule('a-wide', { rule: { query: 'fig', match: 'contains' }, excludes: [{ id: 'd' }] });
    await place('d', { action: 'pin', rank: 2 });
    await expect(asked('d', { action: 'pin', rank: 2 })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('The rule “a-wide” acts on these words as well') as unknown,
      details: { advice: expect.stringContaining('“a-wide”') as unknown },
    });
  });

  it('leaves rules alone that act on other words too, and says which one to change', async () => {
    await addRule('wide', { rule: { query: 'fig', match: 'contains' }, includes: [{ id: 'e', position: 1 }] });
    await addRule('tagged', { rule: { query: TEXT, match: 'exact', tags: ['sale'] }, includes: [{ id: 'c', position: 1 }] });
    await expect(asked('e', { action: 'release' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('“wide”') as unknown,
    });
    expect(await asked('d', { action: 'pin', rank: 1 })).toMatchObject({ object: { name: 'red-fig' }, was: null });
  });

  it('takes a name that no rule has', async () => {
    await addRule('red-fig', { rule: { query: 'other', match: 'exact' }, excludes: [{ id: 'e' }] });
    expect(await asked('d', { action: 'hide' })).toMatchObject({ object: { name: 'red-fig-2' } });
    // A rule for signs alone would act on the empty search.
    await expect(asked('d', { action: 'hide' }, { text: '¿?/…' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'text' },
    });
  });

  it('finds the rules of a collection through its alias', async () => {
    await place('d', { action: 'pin', rank: 1 }, { table: { namespace: [], name: 'shop' } });
    expect(await found()).toEqual(['d', 'a', 'b', 'c', 'e']);
  });

  it('adds a rule without an end beside one for a certain time, and releases from both', async () => {
    const today = { effective_from_ts: 1, effective_to_ts: 4_000_000_000 };
    await addRule('a-sale', { rule: { query: TEXT, match: 'exact' }, includes: [{ id: 'e', position: 1 }], ...today });
    expect(await asked('d', { action: 'pin', rank: 1 })).toMatchObject({ object: { name: 'red-fig' }, was: null });
    expect(await asked('e', { action: 'release' })).toMatchObject({ action: 'remove', object: { name: 'a-sale' } });
  });

  it('says where nothing would change, and takes no words and no key of nothing', async () => {
    await place('d', { action: 'pin', rank: 2 });
    await expect(asked('d', { action: 'pin', rank: 2 })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The rule “red-fig” pins this document at place 2 already.',
    });
    await expect(asked('a', { action: 'release' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'No rule for “red fig” pins or hides this document.',
    });
    await expect(asked('a', { action: 'hide' }, { text: ' \n' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(asked('', { action: 'hide' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const missing = { namespace: [], name: 'nothing' };
    await expect(asked('a', { action: 'hide' }, { table: missing })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('changes nothing where the rule is another one by now', async () => {
    const change = await asked('d', { action: 'pin', rank: 1 });
    await place('e', { action: 'pin', rank: 1 });
    await expect(objects.apply(change, call)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await found()).toEqual(['e', 'a', 'b', 'c', 'd']);
  });

  if (!hasSets) return;

  it('says what to make first where the collection uses no set, or only one that is gone', async () => {
    await admin(sandbox, 'DELETE', '/curation_sets/fruit-rules');
    for (const body of ['{"curation_sets":["fruit-rules"]}', '{"curation_sets":[]}']) {
      await admin(sandbox, 'PATCH', '/collections/fruits', body).catch(() => undefined);
      await expect(asked('d', { action: 'hide' })).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        details: { advice: 'In Objects, add a curation set and link it to the collection.' },
      });
    }
  });
});
