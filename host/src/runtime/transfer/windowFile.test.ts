import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExportFacet } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import type { z } from 'zod';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { windowExportSchema } from '../../common/transfer.ts';
import type { TransferInfo } from '../../common/transfer.ts';
import { sendAnswer } from '../http/fetchAdapter.ts';
import { silentLogger } from '../storage/logger.ts';
import { BOOKS, FakeWork } from '../work.test-helper.ts';
import { Transfers } from './transfers.ts';
import { WindowFile } from './windowFile.ts';

// Exports whose file a window saves, by what its stream gives.

const PART_ROWS = 1_000;
let work: FakeWork;
let transfers: Transfers;
/** Parts that the driver has given. */
let parts = 0;

const columns = [{ name: 'id', kind: 'text' as const }];

function facet(most: number, end: () => void = () => undefined): ExportFacet {
  return {
    splice: async () => undefined,
    judge: () => undefined,
    async *rows() {
      yield { type: 'begin', columns };
      for (; parts < most; parts += 1) yield { type: 'rows', rows: Array.from({ length: PART_ROWS }, (_, n) => [`${n}`]) };
      end();
    },
  };
}

beforeEach(() => {
  parts = 0;
  work = new FakeWork();
  transfers = new Transfers(work.sessions, silentLogger);
});
afterEach(async () => {
  await transfers[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
});

const start = (more: Partial<z.input<typeof windowExportSchema>> = {}): ReadableStream<Uint8Array> =>
  transfers.startInWindow(
    windowExportSchema.parse({ connectionId: work.connectionId, table: BOOKS, format: 'jsonl', name: 'books.jsonl', ...more }),
  );
const textOf = (body: ReadableStream<Uint8Array>): Promise<string> => new Response(body).text();
const info = (): TransferInfo => {
  const [first] = transfers.list();
  if (first === undefined) throw new Error('No export is on the list.');
  return first;
};
const until = (state: TransferInfo['state']): Promise<void> => vi.waitFor(() => expect(info().state).toBe(state));
const differ = (): never => {
  throw new DriverError('ROWS_DIFFER', 'The server counts one more.', {
    details: { rows: { got: PART_ROWS, counted: PART_ROWS + 1 } },
  });
};

describe('a file that a window saves', () => {
  it('has the whole content, is on the list by its name, and in no folder of the host', async () => {
    work.session.export = facet(3);
    const text = await textOf(start());
    expect(text.trimEnd().split('\n')).toHaveLength(3 * PART_ROWS);
    await until('done');
    expect(info()).toMatchObject({ file: 'books.jsonl', savedBy: 'window', rows: 3 * PART_ROWS, bytes: text.length });
    await expect(transfers.reveal(info().id)).rejects.toThrow(/the folder is its browser's/);
  });

  it('has the head of its answer before it breaks off, also where the export fails at once', async () => {
    const { promise, resolve } = Promise.withResolvers<string[]>();
    const seen: string[] = [];
    const server = createServer((_request, response) => {
      const body = transfers.startInWindow(
        windowExportSchema.parse({ connectionId: crypto.randomUUID(), table: BOOKS, format: 'jsonl', name: 'books.jsonl' }),
      );
      sendAnswer(response, new Response(body)).catch(() => undefined);
    });
    onTestFinished(() => void server.close());
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      request({ host: '127.0.0.1', port }, (response) => {
        seen.push(`status ${response.statusCode}`);
        response.on('error', () => resolve([...seen, 'broken off']));
        response.on('end', () => resolve([...seen, 'ended well']));
        response.resume();
      })
        .on('error', () => resolve([...seen, 'no answer']))
        .end();
    });
    expect(await promise).toEqual(['status 200', 'broken off']);
  });

  it('is given up when the window reads nothing for long, so that others get its connection to the server', async () => {
    const file = new WindowFile('books.jsonl', () => undefined, 50);
    const written = (async () => {
      for (;;) await file.write(new Uint8Array(100_000));
    })();
    await expect(written).rejects.toThrow('The window stopped saving books.jsonl.');
    expect(await file.abandon()).toBe('books.jsonl was not saved.');
    await expect(textOf(file.body)).rejects.toThrow();
  });

  it('has rows that the window holds', async () => {
    const text = await textOf(start({ format: 'csv', columns, rows: [['a'], ['b']] }));
    expect(text).toBe('id\r\na\r\nb\r\n');
  });

  it('is read from the database no faster than the window takes it', async () => {
    work.session.export = facet(200);
    const reader = start().getReader();
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(parts).toBeLessThan(5);
    await reader.cancel();
  });

  it('is cancelled when the window is gone', async () => {
    work.session.export = facet(200);
    const reader = start().getReader();
    await reader.read();
    await reader.cancel();
    await until('cancelled');
    expect(parts).toBeLessThan(5);
  });

  it('breaks off when the export fails, so that half a file is never taken for a whole one', async () => {
    work.session.export = facet(1, () => {
      throw new DriverError('CONNECTION_LOST', 'The server is gone.');
    });
    await expect(textOf(start())).rejects.toThrow();
    await until('failed');
    expect(info().error?.message).toBe('The server is gone. books.jsonl was not saved.');
  });

  it('breaks off when it is cancelled on the list, and when the host stops', async () => {
    for (const stop of [() => transfers.cancel(info().id), () => transfers[Symbol.asyncDispose]()]) {
      parts = 0;
      work.session.export = facet(1_000_000);
      const reader = start().getReader();
      await reader.read();
      await stop();
      await expect(
        (async () => {
          while (!(await reader.read()).done);
        })(),
      ).rejects.toThrow();
      expect(info().state).toBe('cancelled');
    }
  });

  it('waits for a decision where rows may be missing: it ends when kept, and breaks off when not', async () => {
    for (const decision of ['keep', 'delete'] as const) {
      parts = 0;
      work.session.export = facet(1, differ);
      const text = textOf(start({ whenRowsDiffer: 'ask' })).catch((error: unknown) => error);
      await until('undecided');
      expect(info()).toMatchObject({ asked: 'window', rowsDiffer: { got: PART_ROWS, counted: PART_ROWS + 1 } });
      await transfers.decide(info().id, decision);
      expect(info().state).toBe(decision === 'keep' ? 'done' : 'failed');
      const answer = await text;
      if (decision === 'keep') expect(answer).toHaveLength(info().bytes);
      else expect(answer).toBeInstanceOf(Error);
    }
  });

  it('needs no decision any more when its window is gone', async () => {
    work.session.export = facet(1, differ);
    const reader = start({ whenRowsDiffer: 'ask' }).getReader();
    while (info().state === 'running') await Promise.race([reader.read(), new Promise((resolve) => setTimeout(resolve, 20))]);
    await reader.cancel();
    await until('failed');
  });

  it('may have the name of another one, which may be in any folder', async () => {
    work.session.export = facet(200);
    const bodies = [start(), start()];
    expect(transfers.list()).toHaveLength(2);
    await Promise.all(bodies.map((body) => body.cancel()));
  });
});
