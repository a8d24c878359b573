import { badAnswer } from '../client.ts';
import type { SearchClient } from '../client.ts';
import type { ExactValue } from '../edits/exactValue.ts';
import { isExactObject } from '../edits/exactValue.ts';
import { encodeSegment } from '../paths.ts';
import { objectMembers, refusedDocument } from './objectDocument.ts';
import type { ObjectMembers } from './objectDocument.ts';
import { objectKind } from './objectKind.ts';
import { readExactly } from './objectSource.ts';
import type { ObjectSource } from './objectSource.ts';

const LIST = '/stemming/dictionaries';

const kind = objectKind({
  id: 'stemming',
  term: { one: 'Stemming Dictionary', other: 'Stemming Dictionaries' },
  help: 'Words and the root that each is indexed by. A field names the dictionary that it uses.',
  scope: 'server',
  columns: [],
  form: [
    {
      path: ['words'],
      type: 'list',
      label: 'Words',
      help: 'Each with its root, such as mice with mouse.',
      required: true,
      fields: [
        { path: ['word'], type: 'text', label: 'Word', required: true },
        { path: ['root'], type: 'text', label: 'Root', required: true },
      ],
    },
  ],
});

/** Dictionaries of word roots. The server adds the words of an import to those that it has, so one that loses words is removed before. */
export function stemmingSource(client: SearchClient): ObjectSource {
  const pathOf = (name: string): string => `${LIST}/${encodeSegment(name)}`;
  return {
    kind,
    versions: { since: 28 },
    nameMember: 'id',
    async list(_holder, signal) {
      const answer = await readExactly(client, LIST, signal);
      const names = isExactObject(answer) ? answer['dictionaries'] : undefined;
      if (!Array.isArray(names)) throw badAnswer(`GET ${LIST}`, "it isn't a list of dictionaries");
      return names.filter((name): name is string => typeof name === 'string').map((name) => ({ name, members: { id: name } }));
    },
    async read(name, _holder, signal) {
      const answer = await readExactly(client, pathOf(name), signal);
      if (!isExactObject(answer)) throw badAnswer(`GET ${pathOf(name)}`, "it isn't a dictionary");
      return answer;
    },
    facts: () => ({}),
    async requests(change, before) {
      const path = pathOf(change.object.name);
      if (change.action === 'remove') return [{ method: 'DELETE', path }];
      const after = wordsOf(objectMembers(change.document));
      const gone = before === undefined ? false : losesWords(wordsOf(before), after);
      return [
        ...(gone ? [{ method: 'DELETE', path }] : []),
        {
          method: 'POST',
          path: `${LIST}/import?id=${encodeURIComponent(change.object.name)}`,
          headers: { 'content-type': 'text/plain' },
          body: after.map((word) => JSON.stringify(word)).join('\n'),
        },
      ];
    },
    async consequence(change, before) {
      const { name } = change.object;
      const goes =
        change.action === 'save' && before !== undefined && losesWords(wordsOf(before), wordsOf(objectMembers(change.document)));
      if (goes) {
        return {
          consequence: `The server only adds words, so the stemming dictionary “${name}” is removed and written again; between the two requests it isn’t there. Documents that are indexed already keep their roots until they are written again.`,
          texts: { consequence: { id: 'objectPlan.stemming.rewrite', values: { name } } },
        };
      }
      return change.action === 'save'
        ? {
            consequence: `The stemming dictionary “${name}” is written. Documents that are indexed already keep their roots until they are written again.`,
            texts: { consequence: { id: 'objectPlan.stemming.save', values: { name } } },
          }
        : {
            consequence: `The stemming dictionary “${name}” is removed. Fields that name it index words as they are from then on.`,
            texts: { consequence: { id: 'objectPlan.stemming.remove', values: { name } } },
          };
    },
  };
}

interface Word {
  readonly word: string;
  readonly root: string;
}

/** @throws DriverError `INVALID_INPUT` */
function wordsOf(members: ObjectMembers): readonly Word[] {
  const list: ExactValue = members['words'];
  if (!Array.isArray(list) || list.length === 0)
    throw refusedDocument('“words” has to be a list with at least one word.', { id: 'object.words' });
  return list.map((entry: ExactValue, index) => {
    const [word, root] = isExactObject(entry) ? [entry['word'], entry['root']] : [];
    if (typeof word === 'string' && typeof root === 'string' && word !== '' && root !== '') return { word, root };
    throw refusedDocument(`Entry ${index + 1} of “words” needs a “word” and a “root”, both texts.`, {
      id: 'object.wordEntry',
      values: { place: index + 1 },
    });
  });
}

function losesWords(before: readonly Word[], after: readonly Word[]): boolean {
  const left = new Set(after.map(({ word }) => word));
  return before.some(({ word }) => !left.has(word));
}
