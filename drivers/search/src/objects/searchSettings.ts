import type { SearchClient } from '../client.ts';
import { isExactObject } from '../edits/exactValue.ts';
import { factOf } from './objectDocument.ts';
import { objectKind } from './objectKind.ts';
import { restSource } from './objectSource.ts';
import type { ObjectSource } from './objectSource.ts';

/** Words that a search leaves out when it names their set. */
export function stopwordSource(client: SearchClient): ObjectSource {
  return restSource(client, {
    kind: objectKind({
      id: 'stopwords',
      term: { one: 'Stopword Set', other: 'Stopword Sets' },
      help: 'Words that a search leaves out. A search names the set that it uses.',
      scope: 'server',
      columns: [
        ['stopwords', 'Words'],
        ['locale', 'Language'],
      ],
      form: [
        { path: ['stopwords'], type: 'texts', label: 'Words', help: 'The words that are left out.', required: true },
        {
          path: ['locale'],
          type: 'text',
          label: 'Language',
          help: 'A language code such as de. Empty: English.',
          required: false,
        },
      ],
    }),
    nameMember: 'id',
    path: () => '/stopwords',
    listMember: 'stopwords',
    oneMember: 'stopwords',
    facts: ({ stopwords, locale }) => ({ stopwords: factOf(stopwords), locale: factOf(locale) }),
    async consequence({ action, object: { name } }) {
      if (action === 'save') return undefined;
      return {
        consequence: `The stopword set “${name}” is removed. Searches that name it fail from then on.`,
        texts: { consequence: { id: 'objectPlan.stopwords.remove', values: { name } } },
      };
    },
  });
}

/** Parameters of a search that are saved on the server under a name. */
export function presetSource(client: SearchClient): ObjectSource {
  return restSource(client, {
    kind: objectKind({
      id: 'preset',
      term: { one: 'Preset', other: 'Presets' },
      help: 'Search parameters that the server saves under a name. A search names the preset that it uses.',
      scope: 'server',
      columns: [['value', 'Parameters']],
      form: [{ path: ['value'], type: 'json', label: 'Parameters', help: 'An object of search parameters.', required: true }],
    }),
    nameMember: 'name',
    path: () => '/presets',
    listMember: 'presets',
    // The server takes a text or a number, and a search with the preset has no parameters then.
    fault: ({ value }) => (isExactObject(value) ? undefined : '“value” (Parameters) is not a JSON object.'),
    facts: ({ value }) => ({ value: factOf(value) }),
    async consequence({ action, object: { name } }) {
      if (action === 'save') return undefined;
      return {
        consequence: `The preset “${name}” is removed. Searches that name it are answered without its parameters from then on.`,
        texts: { consequence: { id: 'objectPlan.preset.remove', values: { name } } },
      };
    },
  });
}
