import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import type { ObjectChange, ObjectPlace, ObjectsFacet } from '@tabularium/sdk';
import { admin, call, open, startFixture } from '../fixture.test-helper.ts';

let sandbox: Sandbox;

async function using(use: (objects: ObjectsFacet) => Promise<void>, key?: string): Promise<void> {
  const session = await open(sandbox, key);
  try {
    if (session.objects === undefined) throw new Error('The session has no objects.');
    await use(session.objects);
  } finally {
    await session.close();
  }
}

const collection = { namespace: [], name: 'shelf' };
const hasSets = (version: string): boolean => Number(version.split('.')[0]) >= 30;
const SYNONYM = '{"synonyms":["fig","date"]}';
const RULE = '{"rule":{"query":"fig","match":"exact"},"includes":[{"id":"0","position":1}]}';

/** One object of every kind that a version has and that can be made, with what it is changed into. */
function samples(version: string): readonly { place: ObjectPlace; name: string; document: string; changed: string }[] {
  const sets = hasSets(version);
  return [
    { place: { kind: 'alias' }, name: 'shop/ö', document: '{"collection_name":"shelf"}', changed: '{"collection_name":"many"}' },
    {
      place: { kind: 'preset' },
      name: 'big',
      document: '{"value":{"query_by":"title","n":12345678901234567890}}',
      changed: '{"value":{"query_by":"title","n":1.0}}',
    },
    {
      place: { kind: 'stopwords' },
      name: 'few',
      document: '{"stopwords":["a","the"]}',
      changed: '{"stopwords":["the"],"locale":"en"}',
    },
    ...(sets
      ? [
          {
            place: { kind: 'synonym-item', within: 'words' },
            name: 's1',
            document: SYNONYM,
            changed: '{"synonyms":["fig"],"root":"fruit"}',
          },
          { place: { kind: 'curation-item', within: 'rules' }, name: 'r1', document: RULE, changed: RULE.replace('"0"', '"37"') },
        ]
      : [
          {
            place: { kind: 'synonym', table: collection },
            name: 's1',
            document: SYNONYM,
            changed: '{"synonyms":["fig"],"root":"fruit"}',
          },
          { place: { kind: 'curation', table: collection }, name: 'r1', document: RULE, changed: RULE.replace('"0"', '"37"') },
        ]),
  ];
}

for (const version of sandboxVersions) {
  describe(`objects of version ${version}`, () => {
    beforeAll(async () => {
      sandbox = await startFixture(version);
      if (!hasSets(version)) return;
      await admin(sandbox, 'PUT', '/synonym_sets/words', '{"items":[]}');
      await admin(sandbox, 'PUT', '/curation_sets/rules', '{"items":[]}');
    });
    afterAll(() => sandbox.close());

    it('has the kinds of its server, each with a help and a form whose fields are named once', () =>
      using(async (objects) => {
        const kinds = await objects.kinds(call);
        const ids = kinds.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.includes('synonym')).toBe(!hasSets(version));
        expect(ids.includes('synonym-set')).toBe(hasSets(version));
        for (const { form, within, names } of kinds) {
          const paths = form.map(({ path }) => path.join('.'));
          expect(new Set(paths).size).toBe(paths.length);
          for (const other of [within, names]) expect(other === undefined || ids.includes(other)).toBe(true);
        }
      }));

    it('every kind is listed', () =>
      using(async (objects) => {
        for (const { id, scope, within } of await objects.kinds(call)) {
          const holder = { ...(scope === 'table' ? { table: collection } : {}) };
          const set = within === 'synonym-set' ? 'words' : 'rules';
          const place = { kind: id, ...holder, ...(within === undefined ? {} : { within: set }) };
          await expect(objects.list(place, undefined, call), id).resolves.toMatchObject({
            objects: expect.any(Array) as unknown,
          });
        }
      }));

    it('an object is added, listed, read, changed and removed, each as its plan said', () =>
      using(async (objects) => {
        for (const { place, name, document, changed } of samples(version)) {
          const object = { ...place, name };
          const label = place.kind;
          const apply = async (change: ObjectChange): Promise<void> => {
            const { requests, consequence } = await objects.plan(change, call);
            expect(consequence, label).toContain(name);
            expect(requests.length, label).toBe(1);
            await objects.apply(change, call);
          };
          const names = async (): Promise<string[]> =>
            (await objects.list(place, undefined, call)).objects.map((one) => one.name);
          await expect(objects.get(object, call), label).rejects.toMatchObject({ code: 'NOT_FOUND' });
          await apply({ action: 'save', object, document, was: null });
          expect(await names(), label).toContain(name);
          const { document: first } = await objects.get(object, call);
          expect(JSON.parse(first), label).toMatchObject(JSON.parse(document) as object);
          await expect(objects.plan({ action: 'save', object, document, was: null }, call), label).rejects.toMatchObject({
            code: 'CONFLICT',
          });
          await apply({ action: 'save', object, document: changed, was: first });
          const { document: second } = await objects.get(object, call);
          expect(JSON.parse(second), label).toMatchObject(JSON.parse(changed) as object);
          // Saving what was read changes nothing.
          await apply({ action: 'save', object, document: second, was: second });
          expect((await objects.get(object, call)).document, label).toBe(second);
          await expect(objects.apply({ action: 'save', object, document, was: first }, call), label).rejects.toMatchObject({
            code: 'CONFLICT',
          });
          expect((await objects.plan({ action: 'remove', object }, call)).effect, label).toBe('destructive');
          // Somebody who saw it as it was before the change does not remove what it became.
          await expect(objects.apply({ action: 'remove', object, was: first }, call), label).rejects.toMatchObject({
            code: 'CONFLICT',
          });
          await apply({ action: 'remove', object, was: second });
          expect(await names(), label).not.toContain(name);
          await expect(objects.apply({ action: 'remove', object }, call), label).rejects.toMatchObject({ code: 'NOT_FOUND' });
        }
      }));

    it('numbers stay digit for digit', () =>
      using(async (objects) => {
        const object = { kind: 'preset', name: 'exact' };
        await objects.apply({ action: 'save', object, document: '{"value":{"n":12345678901234567890}}', was: null }, call);
        const { document } = await objects.get(object, call);
        expect(document).toContain('12345678901234567890');
        await objects.apply({ action: 'remove', object }, call);
      }));
  });
}

describe('objects before version 30', () => {
  beforeAll(async () => {
    sandbox = await startFixture('29.0');
  });
  afterAll(() => sandbox.close());

  it.each<[string, ObjectPlace & { name: string }, string, string]>([
    ['text that isn’t JSON', { kind: 'preset', name: 'x' }, '{', 'valid JSON'],
    ['a list', { kind: 'preset', name: 'x' }, '[]', 'not an object'],
    [
      'more levels than can be read',
      { kind: 'preset', name: 'x' },
      `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      'nested too deeply',
    ],
    ['an empty target', { kind: 'alias', name: 'x' }, '{"collection_name":""}', 'collection_name'],
    ['a target that is null', { kind: 'alias', name: 'x' }, '{"collection_name":null}', 'collection_name'],
    ['no target', { kind: 'alias', name: 'x' }, '{}', 'collection_name'],
    ['another name', { kind: 'alias', name: 'x' }, '{"name":"y","collection_name":"shelf"}', 'names itself'],
    ['no synonyms', { kind: 'synonym', table: collection, name: 'x' }, '{"root":"a"}', 'synonyms'],
  ])('a document with %s is refused before a request', (_name, object, document, says) =>
    using(async (objects) => {
      const change: ObjectChange = { action: 'save', object, document, was: null };
      await expect(objects.plan(change, call)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining(says) as string,
        details: { field: 'document' },
      });
      await expect(objects.apply(change, call)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }),
  );

  it('a place that its kind does not have is refused by name', () =>
    using(async (objects) => {
      for (const place of [
        { kind: 'nothing' },
        { kind: 'synonym' },
        { kind: 'alias', table: collection },
        { kind: 'alias', within: 'x' },
        { kind: 'synonym-set' },
      ]) {
        await expect(objects.list(place, undefined, call)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      }
      const nowhere = { kind: 'synonym', table: { namespace: [], name: 'nowhere' } };
      await expect(objects.list(nowhere, undefined, call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(
        objects.plan({ action: 'save', object: { ...nowhere, name: 'x' }, document: SYNONYM, was: null }, call),
      ).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'There is no collection “nowhere”.' });
    }));

  it('a name or fact of any length on the server does not take the list with it', async () => {
    const ask = (method: string, name: string, target?: string): Promise<string> =>
      admin(sandbox, method, `/aliases/${name}`, target === undefined ? undefined : JSON.stringify({ collection_name: target }));
    const long = 'x'.repeat(1_500);
    await ask('PUT', long, 'shelf');
    await ask('PUT', 'short', 'y'.repeat(1_500));
    await using(async (objects) => {
      const { objects: listed } = await objects.list({ kind: 'alias' }, undefined, call);
      expect(listed.find(({ name }) => name === 'short')?.facts['target']).toBe(`${'y'.repeat(299)}…`);
      expect(listed.every(({ name }) => name.length <= 1_000)).toBe(true);
    });
    await ask('DELETE', 'short');
    await ask('DELETE', long);
  });

  it('a name with half of a character is refused: the server would store another one', () =>
    using(async (objects) => {
      const object = { kind: 'alias', name: 'x\ud800' };
      const change: ObjectChange = { action: 'save', object, document: '{"collection_name":"shelf"}', was: null };
      await expect(objects.apply(change, call)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'name' } });
    }));

  it('an alias that would lead to an alias, or to itself, is said to lead to nothing', () =>
    using(async (objects) => {
      const save = (name: string, to: string, was: string | null): ObjectChange => ({
        action: 'save',
        object: { kind: 'alias', name },
        document: JSON.stringify({ collection_name: to }),
        was,
      });
      await objects.apply(save('first', 'shelf', null), call);
      const nothing = expect.stringContaining('no collection “first”') as string;
      expect(await objects.plan(save('second', 'first', null), call)).toMatchObject({ consequence: nothing });
      const was = (await objects.get({ kind: 'alias', name: 'first' }, call)).document;
      expect(await objects.plan(save('first', 'first', was), call)).toMatchObject({
        consequence: expect.stringMatching(/instead of “shelf”.*no collection “first”/) as string,
      });
      await expect(objects.plan(save('first', 'many', null), call)).rejects.toMatchObject({
        message: 'The alias “first” exists already.',
      });
      await objects.apply({ action: 'remove', object: { kind: 'alias', name: 'first' } }, call);
    }));

  it('an alias says where it leads, and where it leads to nothing', () =>
    using(async (objects) => {
      const object = { kind: 'alias', name: 'front' };
      const to = (collection: string): string => JSON.stringify({ collection_name: collection });
      const plan = async (document: string, was: string | null): Promise<string> =>
        (await objects.plan({ action: 'save', object, document, was }, call)).consequence;
      expect(await plan(to('nowhere'), null)).toContain('There is no collection “nowhere”');
      await objects.apply({ action: 'save', object, document: to('shelf'), was: null }, call);
      expect(await plan(to('many'), to('shelf'))).toContain('“many” instead of “shelf”');
      await objects.apply({ action: 'remove', object }, call);
    }));

  it('a key without the right to list sees an error, not an empty list', async () => {
    const { value } = JSON.parse(
      await admin(sandbox, 'POST', '/keys', '{"description":"s","actions":["documents:search"],"collections":["*"]}'),
    ) as { value: string };
    await using(async (objects) => {
      for (const { id, scope } of await objects.kinds(call)) {
        const place = { kind: id, ...(scope === 'table' ? { table: collection } : {}) };
        await expect(objects.list(place, undefined, call), id).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
      }
    }, value);
  });

  it('a model’s credentials are not shown, and it cannot be changed', () =>
    using(async (objects) => {
      const kinds = await objects.kinds(call);
      expect(kinds.find(({ id }) => id === 'conversation-model')).toMatchObject({
        save: { allowed: false },
        remove: { allowed: false },
      });
      await expect(
        objects.apply({ action: 'remove', object: { kind: 'conversation-model', name: 'x' } }, call),
      ).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    }));
});

describe('sets of version 30', () => {
  const set = { kind: 'synonym-set', name: 'words' };
  const link = { kind: 'synonym-link', table: collection, name: 'words' };

  beforeAll(async () => {
    sandbox = await startFixture('30.0');
    await admin(sandbox, 'PUT', '/synonym_sets/words', '{"items":[{"id":"s1","synonyms":["fig","date"]}]}');
    await admin(sandbox, 'PUT', '/synonym_sets/others', '{"items":[]}');
    await admin(sandbox, 'PUT', '/curation_sets/rules', '{"items":[]}');
  });
  afterAll(() => sandbox.close());

  it('are linked to a collection and unlinked, and the others stay linked', () =>
    using(async (objects) => {
      const linked = async (): Promise<string[]> =>
        (await objects.list({ kind: 'synonym-link', table: collection }, undefined, call)).objects.map(({ name }) => name);
      for (const name of ['others', 'words']) {
        await objects.apply({ action: 'save', object: { ...link, name }, document: '{}', was: null }, call);
      }
      expect(await linked()).toEqual(['others', 'words']);
      expect(await objects.get(link, call)).toEqual({ name: 'words', document: '{}' });
      await objects.apply({ action: 'remove', object: link }, call);
      expect(await linked()).toEqual(['others']);
      await expect(
        objects.apply({ action: 'save', object: { ...link, name: 'nowhere' }, document: '{}', was: null }, call),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }));

  it.each([
    ['synonym-set', 'synonym-link', 'words', 'searches there would fail'],
    ['curation-set', 'curation-link', 'rules', 'no longer act'],
  ])('a %s that a collection still names is not removed', (kind, linkKind, name, says) =>
    using(async (objects) => {
      const linkOf = { kind: linkKind, table: collection, name };
      await objects.apply({ action: 'save', object: linkOf, document: '{}', was: null }, call);
      const removal: ObjectChange = { action: 'remove', object: { kind, name } };
      const refused = { code: 'CONFLICT', message: expect.stringContaining('“shelf”') as string };
      await expect(objects.plan(removal, call)).rejects.toMatchObject(refused);
      await expect(objects.plan(removal, call)).rejects.toThrow(says);
      await expect(objects.apply(removal, call)).rejects.toMatchObject(refused);
      await objects.apply({ action: 'remove', object: linkOf }, call);
      await objects.apply(removal, call);
    }),
  );

  it('a set that is not there has no items', () =>
    using(async (objects) => {
      const item = { kind: 'synonym-item', within: 'nowhere' };
      await expect(objects.list(item, undefined, call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(
        objects.plan({ action: 'save', object: { ...item, name: 'x' }, document: SYNONYM, was: null }, call),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }));

  it.each(['synonym-set', 'curation-set'])('a %s without entries begins empty, and keeps what else its document has', (kind) =>
    using(async (objects) => {
      for (const [name, document] of [
        ['bare', ' { } '],
        ['more', '{"big":9007199254740993}'],
      ] as const) {
        const change = { action: 'save', object: { kind, name }, document, was: null } as const;
        const [request] = (await objects.plan(change, call)).requests;
        expect(request?.body).toBe(name === 'bare' ? '{"items":[]}' : '{"items":[],"big":9007199254740993}');
        await objects.apply({ ...change, document: '{}' }, call);
        expect(JSON.parse((await objects.get({ kind, name }, call)).document)).toMatchObject({ items: [] });
      }
    }),
  );

  it('says which collections a replaced set acts on', () =>
    using(async (objects) => {
      await admin(sandbox, 'PUT', '/synonym_sets/words', '{"items":[]}');
      await objects.apply({ action: 'save', object: link, document: '{}', was: null }, call);
      const { document: was } = await objects.get(set, call);
      const { consequence } = await objects.plan({ action: 'save', object: set, document: '{"items":[]}', was }, call);
      expect(consequence).toContain('which changes the searches of “shelf”');
    }));
});
