import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { abortableCopy, abortableRequest } from './abortableRequest.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const url = 'http://tabularium/';
/** A function of its own: no request stays on the stack of the test. */
const ways: Readonly<Record<string, (signal: AbortSignal) => AbortSignal>> = {
  request: (signal) => abortableRequest(url, { signal }).signal,
  copy: (signal) => abortableCopy(abortableRequest(url, { signal, method: 'POST', body: '{}' })).signal,
  'copy of a copy': (signal) => abortableCopy(abortableCopy(abortableRequest(url, { signal }))).signal,
  'request made from another': (signal) => abortableRequest(abortableRequest(url), { signal }).signal,
  'request that follows another': (signal) => abortableRequest(abortableRequest(url, { signal })).signal,
};

describe('the signal of a request', () => {
  it.each(Object.keys(ways))('of a %s aborts after the request was garbage collected', async (way) => {
    const source = new AbortController();
    const signal = ways[way]?.(source.signal);
    let heard = 0;
    signal?.addEventListener('abort', () => (heard += 1));
    for (let round = 0; round < 5; round += 1) {
      collectGarbage();
      await delay(2);
    }
    source.abort();
    expect(heard).toBe(1);
  });
});
