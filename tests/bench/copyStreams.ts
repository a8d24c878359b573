import { createReadStream, createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Connection, Submittable } from 'pg';
import type { PgClient } from '../../drivers/postgres/src/wire/pgClient.ts';

/** The calls of the library's connection for COPY; its types leave them out. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  readonly stream: {
    readonly writableNeedDrain: boolean;
    pause(): void;
    resume(): void;
    once(event: 'drain', listener: () => void): void;
  };
}

/** A statement for the client's queue: what it gets of the server's answer. */
interface CopyQuery {
  submit(connection: Connection): void;
  handleCopyData(message: { readonly chunk: Buffer }, connection: Connection): void;
  handleCopyInResponse(connection: Connection): void;
  handleCommandComplete(): void;
  handleReadyForQuery(): void;
  handleError(error: unknown): void;
}

const nothing = (): void => undefined;

function submit(client: PgClient, text: string, handlers: Partial<CopyQuery>): Promise<void> {
  return new Promise((resolve, reject) => {
    const query: CopyQuery = {
      submit: (connection) => (connection as unknown as CopyConnection).query(text),
      handleCopyData: nothing,
      handleCopyInResponse: nothing,
      handleCommandComplete: nothing,
      handleReadyForQuery: () => resolve(),
      handleError: reject,
      ...handlers,
    };
    client.query(query as unknown as Submittable);
  });
}

/** COPY to a file, as pg-copy-streams does it: chunks are written as they come, with back-pressure. */
export async function copyOut(client: PgClient, table: string, file: string): Promise<void> {
  const target = createWriteStream(file);
  let paused: CopyConnection['stream'] | undefined;
  await submit(client, `COPY ${table} TO STDOUT (FORMAT csv, HEADER)`, {
    handleCopyData: ({ chunk }, connection) => {
      const { stream } = connection as unknown as CopyConnection;
      // The library reads the next message into the same memory.
      if (target.write(Buffer.from(chunk)) || paused !== undefined) return;
      paused = stream;
      stream.pause();
      target.once('drain', () => {
        paused?.resume();
        paused = undefined;
      });
    },
  });
  // A file that is ended says nothing of having room again.
  paused?.resume();
  target.end();
  await finished(target);
}

/** COPY from a file of CSV with a header, as pg-copy-streams does it: chunks are sent as they are read, with back-pressure. */
export async function copyIn(client: PgClient, table: string, file: string): Promise<void> {
  const send = async (connection: CopyConnection): Promise<void> => {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) await new Promise<void>((resolve) => connection.stream.once('drain', resolve));
    }
    connection.endCopyFrom();
  };
  let sent: Promise<void> | undefined;
  await submit(client, `COPY ${table} FROM STDIN (FORMAT csv, HEADER)`, {
    handleCopyInResponse: (connection) => {
      sent = send(connection as unknown as CopyConnection);
    },
  });
  await sent;
}
