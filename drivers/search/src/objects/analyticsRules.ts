import type { ObjectField } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { factOf, memberAt } from './objectDocument.ts';
import type { ObjectMembers } from './objectDocument.ts';
import { objectKind } from './objectKind.ts';
import { restSource } from './objectSource.ts';
import type { ObjectSource } from './objectSource.ts';

type WrittenField = Omit<Extract<ObjectField, { type: 'choice' }>, 'texts'>;

const typeField: WrittenField = {
  path: ['type'],
  type: 'choice',
  label: 'Type',
  help: 'The kind of analytics.',
  required: true,
  choices: [
    { value: 'popular_queries', label: 'Popular queries' },
    { value: 'nohits_queries', label: 'Queries without hits' },
    { value: 'counter', label: 'Counter' },
    { value: 'log', label: 'Log' },
  ],
};

const limit = {
  path: ['params', 'limit'],
  type: 'number',
  label: 'Most queries',
  help: 'How many queries are kept.',
  required: false,
  minimum: 1,
  maximum: 1_000_000,
} as const;

const removed: NonNullable<ObjectSource['consequence']> = async ({ action, object: { name } }) =>
  action === 'save'
    ? undefined
    : {
        consequence: `The analytics rule “${name}” is removed. What it has counted and not written yet is lost; its collection stays.`,
        texts: { consequence: { id: 'objectPlan.analytics.remove', values: { name } } },
      };

/** Before version 30: source and destination are objects. */
export function oldAnalyticsSource(client: SearchClient): ObjectSource {
  return restSource(client, {
    kind: objectKind({
      id: 'analytics-rule',
      term: { one: 'Analytics Rule', other: 'Analytics Rules' },
      help: 'Counts what people search for and writes it to a collection.',
      scope: 'server',
      columns: [
        ['type', 'Type'],
        ['collections', 'Collections'],
        ['destination', 'Written to'],
      ],
      form: [
        typeField,
        {
          path: ['params', 'source', 'collections'],
          type: 'texts',
          label: 'Collections',
          help: 'Collections whose searches are counted.',
          required: true,
        },
        {
          path: ['params', 'destination', 'collection'],
          type: 'table',
          label: 'Written to',
          help: 'The collection that has the queries and their counts.',
          required: false,
        },
        limit,
        {
          path: ['params', 'source', 'events'],
          type: 'json',
          label: 'Events',
          help: 'For a counter or a log: the events that it takes.',
          required: false,
        },
      ],
    }),
    versions: { until: 30 },
    nameMember: 'name',
    path: () => '/analytics/rules',
    listMember: 'rules',
    facts: (members: ObjectMembers) => ({
      type: factOf(members['type']),
      collections: factOf(memberAt(members, ['params', 'source', 'collections'])),
      destination: factOf(memberAt(members, ['params', 'destination', 'collection'])),
    }),
    consequence: removed,
  });
}

/** From version 30 on: one collection and an event type; the type, the collection and the event type of a rule stay. */
export function newAnalyticsSource(client: SearchClient): ObjectSource {
  return restSource(client, {
    kind: objectKind({
      id: 'analytics-rule',
      term: { one: 'Analytics Rule', other: 'Analytics Rules' },
      help: 'Counts what people search for and writes it to a collection.',
      scope: 'server',
      columns: [
        ['type', 'Type'],
        ['collections', 'Collections'],
        ['destination', 'Written to'],
      ],
      form: [
        typeField,
        {
          path: ['collection'],
          type: 'table',
          label: 'Collection',
          help: 'The collection whose searches are counted.',
          required: true,
        },
        {
          path: ['event_type'],
          type: 'text',
          label: 'Event type',
          help: 'Such as search, click, conversion, visit or custom.',
          required: true,
        },
        {
          path: ['params', 'destination_collection'],
          type: 'table',
          label: 'Written to',
          help: 'The collection that has the queries and their counts.',
          required: false,
        },
        limit,
        { path: ['rule_tag'], type: 'text', label: 'Tag', help: 'A tag to find rules by.', required: false },
      ],
    }),
    versions: { since: 30 },
    nameMember: 'name',
    path: () => '/analytics/rules',
    facts: (members: ObjectMembers) => ({
      type: factOf(members['type']),
      collections: factOf(members['collection']),
      destination: factOf(memberAt(members, ['params', 'destination_collection'])),
    }),
    consequence: removed,
  });
}
