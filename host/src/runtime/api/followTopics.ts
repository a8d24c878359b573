import { topicKey } from '../../common/watches.ts';
import type { WatchEvent, WatchTopic } from '../../common/watches.ts';
import type { ApiContext } from './context.ts';

type Watched = Pick<
  ApiContext,
  | 'consoleSessions'
  | 'driverDevelopment'
  | 'editing'
  | 'imports'
  | 'integrations'
  | 'operationRuns'
  | 'savedChanges'
  | 'transfers'
>;

interface Source {
  readonly topic: WatchTopic;
  readonly iterator: AsyncIterator<unknown>;
}

function valuesOf(services: Watched, topic: WatchTopic, signal: AbortSignal): AsyncIterable<unknown> {
  switch (topic.is) {
    case 'approvals':
      return services.integrations.watchApprovals(signal);
    case 'newSecrets':
      return services.integrations.watchNewSecrets(signal);
    case 'consents':
      return services.integrations.watchConsents(signal);
    case 'transfers':
      return services.transfers.watch(signal);
    case 'operations':
      return services.operationRuns.watch(signal);
    case 'imports':
      return services.imports.watch(signal);
    case 'development':
      return services.driverDevelopment.watch(signal);
    case 'revisions':
      return services.savedChanges.watch(signal);
    case 'stagedTables':
      return services.editing.watchTables(signal);
    case 'consoleSession':
      return services.consoleSessions.watch(topic.sessionId, signal);
    case 'stage':
      return services.editing.watch(topic.connectionId, topic.table, signal);
  }
}

/** One after the other, as they come. Of each topic the next value is asked for when the one before was taken: changes that are emitted as one stay so. */
export async function* followTopics(
  services: Watched,
  topics: readonly WatchTopic[],
  signal: AbortSignal,
): AsyncGenerator<WatchEvent, void, undefined> {
  const leaving = new AbortController();
  const stop = AbortSignal.any([signal, leaving.signal]);
  const news: { readonly source: Source; readonly result: IteratorResult<unknown> }[] = [];
  let wake = Promise.withResolvers<void>();
  const onStop = (): void => wake.resolve();
  stop.addEventListener('abort', onStop, { once: true });
  const notify = (source: Source, result: IteratorResult<unknown>): void => {
    news.push({ source, result });
    wake.resolve();
  };
  const ask = (source: Source): void => {
    // The failure of one topic, such as the stage of a connection that was removed, must not end the others.
    source.iterator.next().then(
      (result) => notify(source, result),
      () => notify(source, { done: true, value: undefined }),
    );
  };
  const sources = [...new Map(topics.map((topic) => [topicKey(topic), topic])).values()].map((topic): Source => {
    const values = async function* (): AsyncGenerator<unknown> {
      yield* valuesOf(services, topic, stop);
    };
    return { topic, iterator: values() };
  });
  try {
    for (const source of sources) ask(source);
    while (!stop.aborted) {
      await wake.promise;
      wake = Promise.withResolvers<void>();
      for (let next = news.shift(); next !== undefined && !stop.aborted; next = news.shift()) {
        const { source, result } = next;
        if (result.done === true) {
          yield { topic: source.topic, ended: true };
        } else {
          // The type of a value goes with its topic, which the compiler does not follow through the switch above.
          yield { topic: source.topic, value: result.value } as WatchEvent;
          ask(source);
        }
      }
    }
  } finally {
    stop.removeEventListener('abort', onStop);
    leaving.abort();
    await Promise.allSettled(sources.map(async ({ iterator }) => iterator.return?.()));
  }
}
