import { expect, it } from 'vitest';
import type { ObjectsFacet } from '@tabularium/sdk';
import { answering, json } from '../answers.test-helper.ts';
import { connect } from '../connect.ts';
import { call } from '../fixture.test-helper.ts';

// Kinds that the sample server lists and doesn't have.

async function objectsOf(answers: Readonly<Record<string, object>>): Promise<{ objects: ObjectsFacet; sent: string[] }> {
  const sent: string[] = [];
  const http = answering(({ method, path, body }) => {
    if (method !== 'GET') sent.push(`${method} ${path} ${typeof body === 'string' ? body : ''}`.trim());
    return json(answers[path] ?? (path === '/debug' ? { version: '29.0' } : []));
  });
  const { objects } = await connect({}, { http, log: () => undefined }, call);
  if (objects === undefined) throw new Error('The session has no objects.');
  return { objects, sent };
}

const dictionary = {
  '/stemming/dictionaries': { dictionaries: ['nouns'] },
  '/stemming/dictionaries/nouns': {
    id: 'nouns',
    words: [
      { word: 'mice', root: 'mouse' },
      { word: 'geese', root: 'goose' },
    ],
  },
};
const nouns = { kind: 'stemming', name: 'nouns' };
const words = (...pairs: readonly string[]): string =>
  JSON.stringify({ words: pairs.map((pair) => ({ word: pair.split('=')[0], root: pair.split('=')[1] })) });

it('a stemming dictionary is listed and read', async () => {
  const { objects } = await objectsOf(dictionary);
  expect((await objects.list({ kind: 'stemming' }, undefined, call)).objects).toEqual([{ name: 'nouns', facts: {} }]);
  expect(JSON.parse((await objects.get(nouns, call)).document)).toEqual({
    words: dictionary['/stemming/dictionaries/nouns'].words,
  });
});

it('a stemming dictionary that loses a word is removed before it is written, because the server only adds', async () => {
  const { objects, sent } = await objectsOf(dictionary);
  const { document: was } = await objects.get(nouns, call);
  await objects.apply({ action: 'save', object: nouns, document: words('mice=mouse', 'geese=goose', 'men=man'), was }, call);
  expect(sent).toEqual([
    'POST /stemming/dictionaries/import?id=nouns {"word":"mice","root":"mouse"}\n{"word":"geese","root":"goose"}\n{"word":"men","root":"man"}',
  ]);
  sent.length = 0;
  const shorter = { action: 'save', object: nouns, document: words('mice=mouse'), was } as const;
  expect((await objects.plan(shorter, call)).consequence).toContain('between the two requests');
  await objects.apply(shorter, call);
  expect(sent).toEqual([
    'DELETE /stemming/dictionaries/nouns',
    'POST /stemming/dictionaries/import?id=nouns {"word":"mice","root":"mouse"}',
  ]);
});

it.each([
  ['no words', '{}'],
  ['an empty list', '{"words":[]}'],
  ['a word without a root', '{"words":[{"word":"a"}]}'],
  ['a text', '{"words":["a"]}'],
])('a stemming dictionary with %s is refused', async (_name, document) => {
  const { objects, sent } = await objectsOf({ ...dictionary, '/stemming/dictionaries/nouns': { id: 'nouns', words: [] } });
  const change = { action: 'save', object: nouns, document, was: '{"words":[]}' } as const;
  await expect(objects.apply(change, call)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'document' } });
  expect(sent).toEqual([]);
});

it('the credentials of a model are not shown, wherever they are', async () => {
  const model = { id: 'm', model_name: 'openai/gpt', api_key: 'sk-secret', nested: [{ access_token: 'secret-too' }] };
  const { objects } = await objectsOf({ '/conversations/models': [model], '/conversations/models/m': model });
  const { document } = await objects.get({ kind: 'conversation-model', name: 'm' }, call);
  expect(document).not.toContain('secret');
  expect(JSON.parse(document)).toEqual({ model_name: 'openai/gpt', api_key: '…', nested: [{ access_token: '…' }] });
  const page = await objects.list({ kind: 'conversation-model' }, undefined, call);
  expect(page.objects).toEqual([{ name: 'm', facts: { model: 'openai/gpt' } }]);
});

it('a long list comes in parts that join', async () => {
  const presets = Array.from({ length: 2_500 }, (_, index) => ({ name: `p${index}`, value: { q: '*' } }));
  const { objects } = await objectsOf({ '/presets': { presets } });
  const names: string[] = [];
  let next: string | undefined;
  do {
    const page = await objects.list({ kind: 'preset' }, next, call);
    expect(page.objects.length).toBeLessThanOrEqual(1_000);
    names.push(...page.objects.map(({ name }) => name));
    next = page.next;
  } while (next !== undefined);
  expect(names).toEqual(presets.map(({ name }) => name));
  await expect(objects.list({ kind: 'preset' }, 'x', call)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
