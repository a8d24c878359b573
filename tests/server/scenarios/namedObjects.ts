import type { HitPlacement, ObjectChange, ObjectRef, ObjectsFacet } from '@tabularium/sdk';
import { NO_FILTER } from '@tabularium/sdk';
import { createCollection, importDocuments, tableOf } from '../scenario.ts';
import type { Problems, Scenario, ServerUnderTest } from '../scenario.ts';

/** Named objects: each kind is added, read, changed and removed, and does what it is for. */
export const namedObjects: Scenario = {
  id: 'named-objects',
  title: 'Aliases, synonyms, curation rules, presets and stopwords: add, use, change, remove',
  async run(server, problems) {
    const { objects } = server.session;
    if (objects === undefined) throw new Error('The driver has no objects.');
    const table = await createCollection(server, 'words', [{ name: 'title', type: 'string' }]);
    await importDocuments(
      server,
      table,
      ['big red sofa', 'red couch', 'the chair'].map((title, index) => JSON.stringify({ id: `w${index + 1}`, title })),
    );
    const kinds = (await objects.kinds(server.options)).map(({ id }) => id);
    const inSets = kinds.includes('synonym-set');
    const changes = new Changes(server, objects, problems);
    await aliasesAndSettings(changes, table);
    await synonyms(changes, table, inSets);
    await curations(changes, table, inSets);
  },
};

/** Makes changes as a person does: each is planned, shows its requests, is applied and read back. */
class Changes {
  readonly server: ServerUnderTest;
  readonly objects: ObjectsFacet;
  readonly problems: Problems;

  constructor(server: ServerUnderTest, objects: ObjectsFacet, problems: Problems) {
    this.server = server;
    this.objects = objects;
    this.problems = problems;
  }

  async save(object: ObjectRef, document: object): Promise<void> {
    const was = await this.#document(object);
    await this.make({ action: 'save', object, document: JSON.stringify(document), was: was ?? null });
    const saved = await this.objects.get(object, this.server.options);
    this.problems.same(`${object.kind} ${object.name} as it was saved`, superset(JSON.parse(saved.document), document), document);
    const { objects } = await this.objects.list(placeOf(object), undefined, this.server.options);
    this.problems.holds(
      `${object.kind} ${object.name} is not in the list`,
      objects.some(({ name }) => name === object.name),
    );
  }

  async remove(object: ObjectRef): Promise<void> {
    await this.make({ action: 'remove', object });
    await this.problems.rejected(`${object.kind} ${object.name} once removed`, 'NOT_FOUND', () =>
      this.objects.get(object, this.server.options),
    );
  }

  async make(change: ObjectChange): Promise<void> {
    const planned = await this.objects.plan(change, this.server.options);
    this.problems.holds(`the plan of ${change.object.kind} shows no request`, planned.requests.length > 0);
    await this.objects.apply(change, this.server.options);
  }

  async found(table: string, text: string, options: Readonly<Record<string, string>> = {}): Promise<readonly unknown[]> {
    const request = {
      table: tableOf(table),
      text,
      fields: [],
      facets: [],
      filter: NO_FILTER,
      sorts: [],
      options,
      offset: 0,
      limit: 10,
    };
    const answer = await this.server.session.search?.search(request, this.server.options);
    return answer?.hits.map(({ key }) => key[0]) ?? [];
  }

  async #document(object: ObjectRef): Promise<string | undefined> {
    return this.objects.get(object, this.server.options).then(
      ({ document }) => document,
      () => undefined,
    );
  }
}

const placeOf = ({ kind, table, within }: ObjectRef): Omit<ObjectRef, 'name'> => ({
  kind,
  ...(table === undefined ? {} : { table }),
  ...(within === undefined ? {} : { within }),
});

/** The members of a saved document that were given: a server adds some of its own. */
function superset(saved: unknown, given: object): unknown {
  if (typeof saved !== 'object' || saved === null) return saved;
  return Object.fromEntries(Object.keys(given).map((name) => [name, (saved as Record<string, unknown>)[name]]));
}

async function aliasesAndSettings(changes: Changes, table: string): Promise<void> {
  const { prefix } = changes.server;
  const alias = { kind: 'alias', name: `${prefix}to-words` };
  await changes.save(alias, { collection_name: table });
  changes.problems.same('hits by the alias', await changes.found(alias.name, 'chair'), ['w3']);
  await changes.remove(alias);
  const stopwords = { kind: 'stopwords', name: `${prefix}stop` };
  await changes.save(stopwords, { stopwords: ['the'] });
  changes.problems.same('hits without the stopword', await changes.found(table, 'the chair', { stopwords: stopwords.name }), [
    'w3',
  ]);
  await changes.remove(stopwords);
  const preset = { kind: 'preset', name: `${prefix}preset` };
  await changes.save(preset, { value: { query_by: 'title', num_typos: 0 } });
  changes.problems.same('hits by the preset', await changes.found(table, 'chiar', { preset: preset.name }), []);
  await changes.save(preset, { value: { query_by: 'title', num_typos: 2 } });
  await changes.remove(preset);
}

async function synonyms(changes: Changes, table: string, inSets: boolean): Promise<void> {
  const set = { kind: 'synonym-set', name: `${changes.server.prefix}synonyms` };
  const link = { kind: 'synonym-link', table: tableOf(table), name: set.name };
  const synonym = inSets
    ? { kind: 'synonym-item', within: set.name, name: 'seats' }
    : { kind: 'synonym', table: tableOf(table), name: 'seats' };
  changes.problems.same('hits before the synonym', await changes.found(table, 'couch'), ['w2']);
  if (inSets) {
    await changes.save(set, { items: [] });
    await changes.save(link, {});
  }
  await changes.save(synonym, { synonyms: ['couch', 'sofa'] });
  changes.problems.same('hits with the synonym', (await changes.found(table, 'couch')).toSorted(), ['w1', 'w2']);
  if (inSets) {
    // Version 30 rejects every search of a collection whose set is gone.
    await changes.problems.rejected('removing a linked set', 'CONFLICT', () => changes.make({ action: 'remove', object: set }));
  }
  await changes.remove(synonym);
  changes.problems.same('hits after the synonym', await changes.found(table, 'couch'), ['w2']);
  if (!inSets) return;
  await changes.remove(link);
  await changes.remove(set);
}

async function curations(changes: Changes, table: string, inSets: boolean): Promise<void> {
  const { objects, problems, server } = changes;
  const place = async (key: string, action: { action: 'pin'; rank: number } | { action: 'hide' | 'release' }): Promise<void> => {
    const hit: HitPlacement = { table: tableOf(table), text: 'red', key: [key], ...action };
    const change = await objects.placeHit?.(hit, server.options);
    if (change === undefined) throw new Error('The driver places no hits.');
    await changes.make(change);
  };
  const set = { kind: 'curation-set', name: `${server.prefix}curations` };
  const link = { kind: 'curation-link', table: tableOf(table), name: set.name };
  if (inSets) {
    await problems.rejected('a pin without a set', 'UNSUPPORTED', () => place('w3', { action: 'pin', rank: 1 }));
    await changes.save(set, { items: [] });
    await changes.save(link, {});
  }
  await place('w3', { action: 'pin', rank: 1 });
  problems.same('the pinned hit', (await changes.found(table, 'red'))[0], 'w3');
  await place('w2', { action: 'hide' });
  problems.same('hits without the hidden one', (await changes.found(table, 'red')).toSorted(), ['w1', 'w3']);
  await place('w2', { action: 'release' });
  await place('w3', { action: 'release' });
  problems.same('hits once released', (await changes.found(table, 'red')).toSorted(), ['w1', 'w2']);
  if (!inSets) return;
  await changes.remove(link);
  await changes.remove(set);
}
