import type { z } from 'zod';
import type { DevelopedDriver } from './development.ts';
import type { StageEvent } from './editing.ts';
import type { NewSecret, PendingApproval } from './integrations.ts';
import type { TransferInfo } from './transfer.ts';
import type { watchTopicSchema } from './watchesApi.ts';

// What windows follow as long as they are there. All of it travels in one stream: a browser has six connections to a host, for all its windows.

/** Something that can be followed. */
export type WatchTopic = z.output<typeof watchTopicSchema>;

/** What is told of each topic: first how it stands, then every change. */
export interface WatchedValues {
  /** The requests that wait for a person. */
  readonly approvals: readonly PendingApproval[];
  /** Answers with a new secret that a person has not dismissed. */
  readonly newSecrets: readonly NewSecret[];
  readonly transfers: readonly TransferInfo[];
  readonly development: readonly DevelopedDriver[];
  /** What is staged for a table. */
  readonly stage: StageEvent;
}

export type TopicOf<Name extends WatchTopic['is']> = Extract<WatchTopic, { readonly is: Name }>;

/** One piece of news. `ended`: nothing more will come of this topic in this stream; the others go on. */
export type WatchEvent =
  | {
      readonly [Name in WatchTopic['is']]: { readonly topic: TopicOf<Name>; readonly value: WatchedValues[Name] };
    }[WatchTopic['is']]
  | { readonly topic: WatchTopic; readonly ended: true };

/** The same text for the same topic. */
export function topicKey(topic: WatchTopic): string {
  return topic.is === 'stage' ? JSON.stringify([topic.connectionId, ...topic.table.namespace, topic.table.name]) : topic.is;
}
