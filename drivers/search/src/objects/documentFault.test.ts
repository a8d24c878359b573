import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import type { ObjectPlace, ObjectsFacet, Session } from '@tabularium/sdk';
import { ADMIN_KEY, admin, call, open, startFixture } from '../fixture.test-helper.ts';
import { twiceNamed } from './twiceNamed.ts';

const ACTS = '"rule":{"query":"a","match":"exact"}';

describe.each(sandboxVersions)('a document on version %s', (version) => {
  const isNew = Number(version.split('.')[0]) >= 30;
  let sandbox: Sandbox;
  let session: Session;
  let objects: ObjectsFacet;
  beforeAll(async () => {
    sandbox = await startFixture(version);
    session = await open(sandbox, ADMIN_KEY);
    if (session.objects === undefined) throw new Error('The session has no objects.');
    objects = session.objects;
    if (!isNew) return;
    await admin(sandbox, 'PUT', '/curation_sets/set', '{"items":[]}');
    await admin(sandbox, 'PUT', '/synonym_sets/set', '{"items":[]}');
  });
  afterAll(async () => {
    await session.close();
    await sandbox.close();
  });
  const collection = { namespace: [], name: 'shelf' };
  const curations: ObjectPlace = isNew ? { kind: 'curation-item', within: 'set' } : { kind: 'curation', table: collection };
  const synonyms: ObjectPlace = isNew ? { kind: 'synonym-item', within: 'set' } : { kind: 'synonym', table: collection };
  const planned = (place: ObjectPlace, document: string, was: string | null = null) =>
    objects.plan({ action: 'save', object: { ...place, name: 'new' }, document, was }, call);

  // Each of these is refused by a server of 29.0 and 30.0 when it is sent, or taken and does nothing.
  it.each([
    ['{"rule":{"query":"a"},"excludes":[{"id":"1"}]}', 'With “rule.query” (Search words) goes “rule.match” (Match)'],
    ['{"rule":{"match":"exact"},"excludes":[{"id":"1"}]}', '“rule.query” (Search words) is missing'],
    ['{"rule":{"query":"a","match":"nope"},"excludes":[{"id":"1"}]}', '“rule.match” (Match) is none of exact, contains'],
    ['{"excludes":[{"id":"1"}]}', 'It never acts'],
    ['{"rule":"x","excludes":[{"id":"1"}]}', 'It never acts'],
    ['{"rule":{"query":5,"match":"exact"},"excludes":[{"id":"1"}]}', '“rule.query” (Search words) is not a text'],
    ['{"rule":{"tags":"x"},"excludes":[{"id":"1"}]}', '“rule.tags” (With a tag) is not a list of texts'],
    [`{${ACTS},"includes":[{}]}`, '“includes” (Pinned documents) has an entry, number 1, whose “id” (Document) is missing'],
    [`{${ACTS},"includes":[{"id":"1"}]}`, 'whose “position” (Place) is missing'],
    [`{${ACTS},"includes":[{"id":1,"position":1}]}`, 'whose “id” (Document) is not a text'],
    [`{${ACTS},"includes":[{"id":"1","position":"x"}]}`, 'whose “position” (Place) is not a whole number'],
    [`{${ACTS},"includes":[{"id":"1","position":0}]}`, 'whose “position” (Place) is 0, and goes from 1 to 10000'],
    [`{${ACTS},"includes":[{"id":"1","position":-1}]}`, 'is -1'],
    [`{${ACTS},"includes":{"id":"1"}}`, '“includes” (Pinned documents) is not a list'],
    [`{${ACTS},"excludes":["1"]}`, 'has an entry, number 1, that is not an object'],
    [`{${ACTS},"filter_by":5}`, '“filter_by” (Filter) is not a text'],
    [`{${ACTS},"excludes":[{"id":"1"}],"stop_processing":"x"}`, '“stop_processing” (Last rule) is neither true nor false'],
    [`{${ACTS},"excludes":[{"id":"1"}],"effective_from_ts":1.5}`, '“effective_from_ts” (From) is not a whole number'],
    [`{${ACTS},"metadata":"x"}`, '“metadata” (Extra data) is not a JSON object'],
    [`{${ACTS}}`, 'It does nothing'],
    [`{${ACTS},"includes":[],"excludes":[]}`, 'It does nothing'],
    [`{${ACTS},"filter_by":"a:1","filter_by":"a:2"}`, 'The document has “filter_by” twice in one object.'],
  ])('of a curation rule is refused before it is sent: %s', async (document, message) => {
    await expect(planned(curations, document)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(message) as unknown,
      details: { field: 'document' },
    });
  });

  it.each([
    ['{"synonyms":"text"}', '“synonyms” (Synonyms) is not a list of texts'],
    ['{"synonyms":[]}', '“synonyms” (Synonyms) has no text'],
    ['{"synonyms":["a",1]}', 'has an entry that is not a text'],
    ['{"synonyms":["a",""]}', 'has an empty text'],
    ['{"synonyms":["a","b"],"root":5}', '“root” (Root) is not a text'],
    ['{"synonyms":["a","b"],"symbols_to_index":["ab"]}', '“symbols_to_index” (Symbols to keep) has “ab”'],
    ['{"synonyms":["a","b"],"synonyms":["c","d"]}', 'The document has “synonyms” twice in one object.'],
  ])('of a synonym is refused before it is sent: %s', async (document, message) => {
    await expect(planned(synonyms, document)).rejects.toThrow(message);
  });

  it.each(['5', '"x"', '[]'])('of a preset has an object of parameters, not %s', async (value) => {
    await expect(planned({ kind: 'preset' }, `{"value":${value}}`)).rejects.toThrow('“value” (Parameters) is not a JSON object.');
  });

  it('that is good is planned, also with what the server writes for “never”', async () => {
    for (const document of [
      `{${ACTS},"excludes":[{"id":"1"}],"effective_from_ts":-1,"effective_to_ts":-1}`,
      '{"rule":{"filter_by":"a:1"},"excludes":[{"id":"1"}]}',
      '{"rule":{"tags":["x"]},"metadata":{"a":1}}',
      `{${ACTS},"remove_matched_tokens":true}`,
    ]) {
      expect((await planned(curations, document)).requests).toHaveLength(1);
    }
  });

  it('keeps what it had, though this driver has no such value', async () => {
    const was = '{"rule":{"query":"a","match":"newer"},"excludes":[{"id":"1"}]}';
    const path = isNew ? '/curation_sets/set/items/old' : '/collections/shelf/overrides/old';
    await admin(sandbox, 'PUT', path, was);
    const change = { action: 'save', object: { ...curations, name: 'old' }, was } as const;
    const document = '{"rule":{"query":"a","match":"newer"},"excludes":[{"id":"2"}]}';
    const before = (await objects.get(change.object, call)).document;
    expect((await objects.plan({ ...change, document, was: before }, call)).requests).toHaveLength(1);
  });
});

it.each([
  ['{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}', undefined],
  ['{"a":1,"b":2,"a":3}', 'a'],
  ['{"b":{"x":1, "x" :2}}', 'x'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"a":"b\\":","b":"a"}', undefined],
  ['[{"__proto__":1,"__proto__":2}]', '__proto__'],
])('a member that is there twice is seen: %s', (text, name) => {
  expect(twiceNamed(text)).toBe(name);
});
