import type { Ability, ObjectKind } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import type { ExactValue } from '../edits/exactValue.ts';
import { isExactObject } from '../edits/exactValue.ts';
import { factOf } from './objectDocument.ts';
import type { ObjectMembers } from './objectDocument.ts';
import { objectKind } from './objectKind.ts';
import { restSource } from './objectSource.ts';
import type { ObjectSource } from './objectSource.ts';

const CONSOLE_ONLY: Ability = {
  allowed: false,
  reason: 'A model needs the credentials of another service: change it in the console.',
  texts: { reason: { id: 'object.model.fixed' } },
};

/** Members that hold a credential of the service behind a model. The server shows a part of some. */
const SECRET = /key|secret|token|password/i;

/** Models for searches in natural language. */
export function searchModelSource(client: SearchClient): ObjectSource {
  const kind = objectKind({
    id: 'nl-search-model',
    term: { one: 'Language Model for Search', other: 'Language Models for Search' },
    help: 'Models that turn a sentence into a search.',
    scope: 'server',
    columns: [['model', 'Model']],
    form: [],
    save: CONSOLE_ONLY,
    remove: CONSOLE_ONLY,
  });
  return modelSource(client, kind, '/nl_search_models', { since: 29 });
}

/** Models for conversations. */
export function conversationModelSource(client: SearchClient): ObjectSource {
  const kind = objectKind({
    id: 'conversation-model',
    term: { one: 'Conversation Model', other: 'Conversation Models' },
    help: 'Models that answer questions from the documents that a search finds.',
    scope: 'server',
    columns: [['model', 'Model']],
    form: [],
    save: CONSOLE_ONLY,
    remove: CONSOLE_ONLY,
  });
  return modelSource(client, kind, '/conversations/models', {});
}

function modelSource(client: SearchClient, kind: ObjectKind, path: string, versions: ObjectSource['versions']): ObjectSource {
  const source = restSource(client, {
    kind,
    versions,
    nameMember: 'id',
    path: () => path,
    facts: ({ model_name: model }) => ({ model: factOf(model) }),
  });
  return { ...source, read: async (...asked) => withoutSecrets(await source.read(...asked)) };
}

function withoutSecrets(members: ObjectMembers): ObjectMembers {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, SECRET.test(name) ? '…' : inner(value)]));
}

function inner(value: ExactValue): ExactValue {
  if (Array.isArray(value)) return value.map(inner);
  return isExactObject(value) ? withoutSecrets(value) : value;
}
