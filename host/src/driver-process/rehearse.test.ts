import { describe, expect, it, vi } from 'vitest';
import { DriverSessions } from './driverSessions.ts';
import { rehearse } from './rehearse.ts';

describe('the rehearsal of a process that waits for its driver', () => {
  it('has every call answered by the code that serves a driver, and ends', async () => {
    const serve = vi.spyOn(DriverSessions.prototype, 'serve');
    await rehearse();
    const methods = serve.mock.calls.map(([{ method }]) => method);
    expect(methods).toEqual(['connect', 'ping', 'listTables', 'describeTable', 'readPage', 'countRows', 'close']);
    await expect(Promise.all(serve.mock.results.map(({ value }) => value as Promise<void>))).resolves.toHaveLength(
      methods.length,
    );
  });
});
