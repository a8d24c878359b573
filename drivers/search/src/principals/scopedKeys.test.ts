import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import { NO_FILTER } from '@tabularium/sdk';
import type { CredentialGenerator, PrincipalInput } from '@tabularium/sdk';
import { admin, call, open, startFixture } from '../fixture.test-helper.ts';

let sandbox: Sandbox;

async function keyFor(actions: readonly string[], collections: readonly string[], value?: string): Promise<string> {
  const body = JSON.stringify({ description: 'parent', actions, collections, ...(value === undefined ? {} : { value }) });
  return (JSON.parse(await admin(sandbox, 'POST', '/keys', body)) as { value: string }).value;
}

async function using(
  use: (generator: CredentialGenerator, session: Awaited<ReturnType<typeof open>>) => Promise<void>,
  key?: string,
): Promise<void> {
  const session = await open(sandbox, key);
  try {
    if (session.principals?.generator === undefined) throw new Error('The session computes no keys.');
    await use(session.principals.generator, session);
  } finally {
    await session.close();
  }
}

for (const version of sandboxVersions) {
  describe(`scoped search keys of version ${version}`, () => {
    beforeAll(async () => {
      sandbox = await startFixture(version);
    });
    afterAll(() => sandbox.close());

    it('are computed from a search-only key, and filter what is searched with them', async () => {
      const parent = await keyFor(['documents:search'], ['many']);
      await using(async (generator, { http }) => {
        const { secret, notes } = await generator.generate(
          { parent: [parent], filter: ['n:<10'], expiresAt: ['2999-01-01T00:00:00Z'], parameters: ['{"exclude_fields":"n"}'] },
          call,
        );
        expect(secret.label).toBe('Scoped search key');
        expect(notes.join(' ')).toContain('parent key');
        expect(JSON.stringify(http.requests)).not.toContain(parent);
        await using(async (_generator, session) => {
          const table = { namespace: [], name: 'many' };
          const found = await session.namedTables?.find('many', call);
          expect(found?.count?.rows).toBeGreaterThan(0);
          expect(found?.count?.rows).toBeLessThan(100);
          const description = await session.describeTable(table, call);
          expect(description.columns.map(({ name }) => name)).toEqual(['id']);
          const counted = await session.countRows({ table, filter: NO_FILTER }, call);
          expect(counted).toEqual(found?.count);
        }, secret.value);
      });
    });
  });
}

describe('scoped search keys', () => {
  let parent: string;
  beforeAll(async () => {
    sandbox = await startFixture();
    parent = await keyFor(['documents:search'], ['*']);
  });
  afterAll(() => sandbox.close());

  it('have the value that the server computes', async () => {
    const value = 'parent-of-the-example-0123456789';
    await keyFor(['documents:search'], ['*'], value);
    await using(async (generator) => {
      const { secret } = await generator.generate({ parent: [value], filter: ['n:>2'] }, call);
      // Asked of real servers of 29.0 and 30.0: it finds 2 of 4 documents.
      expect(secret.value).toBe('WVJERUhaNDBwRk9oZVFXSnNZUU1ONkdXU0M3YUtCbHJ1bXZnWEk4OVIyTT1wYXJleyJmaWx0ZXJfYnkiOiJuOj4yIn0=');
    });
  });

  it.each<[string, () => PrincipalInput, string, RegExp]>([
    ['without a parent', () => ({ filter: ['n:>1'] }), 'parent', /search-only/],
    ['of a parent that is too short', () => ({ parent: ['abc'], filter: ['n:>1'] }), 'parent', /more characters/],
    ['of a parent that the server does not have', () => ({ parent: ['zzzz-not-there'], filter: ['n:>1'] }), 'parent', /no key/],
    ['that limit nothing', () => ({ parent: [parent] }), 'filter', /could do what its parent can/],
    ['of a time that is over', () => ({ parent: [parent], expiresAt: ['2001-01-01T00:00:00Z'] }), 'expiresAt', /past/],
    ['of parameters that are no JSON', () => ({ parent: [parent], parameters: ['per_page'] }), 'parameters', /JSON object/],
    ['of a list of parameters', () => ({ parent: [parent], parameters: ['[1]'] }), 'parameters', /JSON object/],
    ['of a nested parameter', () => ({ parent: [parent], parameters: ['{"a":{"b":1}}'] }), 'parameters', /“a” must be/],
    ['of a filter twice', () => ({ parent: [parent], parameters: ['{"filter_by":"x:1"}'] }), 'parameters', /filter_by/],
  ])('are not computed %s', async (_name, input, field, says) => {
    await using(async (generator) => {
      await expect(generator.generate(input(), call)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field },
        message: expect.stringMatching(says) as string,
      });
    });
  });

  it('are not computed from a key with other actions, where the keys can be listed', async () => {
    const wide = await keyFor(['documents:*'], ['*']);
    await using(async (generator) => {
      const error: unknown = await generator
        .generate({ parent: [wide], filter: ['n:>1'] }, call)
        .catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'parent' } });
      expect(String(error) + JSON.stringify(error)).not.toContain(wide);
    });
    await using(async (generator) => {
      expect((await generator.generate({ parent: [wide], filter: ['n:>1'] }, call)).secret.value).not.toBe('');
    }, parent);
  });
});
