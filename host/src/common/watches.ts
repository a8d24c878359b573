import type { z } from 'zod';
import type { Shape } from './shape.ts';
import type { watchEventSchema, watchTopicSchema, watchedValuesSchema } from './watchesApi.ts';

// Topics that windows follow as long as they are open. All of it travels in one stream: a browser has six connections to a host, for all its windows.

/** Something that can be followed. */
export type WatchTopic = z.output<typeof watchTopicSchema>;

/** The values of each topic: the present state first, then every change. */
export type WatchedValues = Shape<typeof watchedValuesSchema>;

export type TopicOf<Name extends WatchTopic['is']> = Extract<WatchTopic, { readonly is: Name }>;

/** One piece of news. `ended`: nothing more will come of this topic in this stream; the others continue. */
export type WatchEvent = Shape<typeof watchEventSchema>;

/** The same text for the same topic. */
export function topicKey(topic: WatchTopic): string {
  if (topic.is === 'consoleSession') return `${topic.is} ${topic.sessionId}`;
  return topic.is === 'stage' ? JSON.stringify([topic.connectionId, ...topic.table.namespace, topic.table.name]) : topic.is;
}
