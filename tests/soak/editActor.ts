import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Actor } from './actor.ts';
import type { SoakWorld } from './soakWorld.ts';

const KEYS = 200;
const answerSchema = z.object({ changed: z.number() });

/** Rows that an actor writes, with what it was said of each. */
export interface EditActor extends Actor {
  /** Rows whose value isn't the last one that was acknowledged, or one that was sent later and whose answer was lost. */
  lost(world: SoakWorld): Promise<readonly string[]>;
}

/** Adds, changes and deletes rows over MCP, and remembers what was acknowledged. */
export function editActor(): EditActor {
  let client: Client | undefined;
  let turn = 0;
  /** By key: the values that may be there. */
  const possible = new Map<string, Set<number | undefined>>();

  const call = async (world: SoakWorld, name: string, args: object): Promise<void> => {
    if (client === undefined) {
      client = new Client({ name: 'soak editor', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
      const requestInit = { headers: { authorization: `Bearer ${world.token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(world.application.mcp), { requestInit }));
    }
    const answer = (await client.callTool({ name, arguments: { connection: world.connection, table: 'soak', ...args } })) as {
      readonly isError?: boolean;
      readonly structuredContent?: unknown;
      readonly content: readonly { readonly text?: string }[];
    };
    const text = answer.content[0]?.text ?? '';
    if (answer.isError === true) throw new Error(`${name}: ${text}`);
    const { changed } = answerSchema.parse(answer.structuredContent ?? JSON.parse(text));
    if (changed !== 1) throw new Error(`${name} changed ${changed} rows: ${text}`);
  };

  return {
    name: 'edits',
    every: 700,
    async step(world) {
      turn += 1;
      const id = `row-${turn % KEYS}`;
      const before = possible.get(id) ?? new Set([undefined]);
      const isThere = !before.has(undefined);
      const isDeleted = isThere && turn % 7 === 0;
      const next = isDeleted ? undefined : turn;
      // Until the answer is there, both may be true.
      possible.set(id, new Set([...before, next]));
      if (isDeleted) await call(world, 'delete_rows', { keys: [{ id }] });
      else if (isThere) await call(world, 'update_rows', { rows: [{ key: { id }, values: { turn } }] });
      else if (before.size > 1) return void (await settle(world, id, possible));
      else await call(world, 'insert_rows', { rows: [{ id, turn }] });
      possible.set(id, new Set([next]));
    },
    async lost(world) {
      const stored = await storedTurns(world);
      return [...possible].flatMap(([id, values]) =>
        values.has(stored.get(id)) ? [] : [`${id} has ${String(stored.get(id))}, and ${[...values].join(' or ')} was expected`],
      );
    },
    close: async () => client?.close(),
  };
}

/** Looks at what became of a row whose answer was lost. */
async function settle(world: SoakWorld, id: string, possible: Map<string, Set<number | undefined>>): Promise<void> {
  const value = (await storedTurns(world)).get(id);
  const values = possible.get(id) ?? new Set();
  if (!values.has(value)) throw new Error(`${id} has ${String(value)}, which was never sent.`);
  possible.set(id, new Set([value]));
}

/** From the server itself, past the application. */
async function storedTurns({ application }: SoakWorld): Promise<ReadonlyMap<string, number>> {
  const { port, apiKey } = application.sandbox;
  const response = await fetch(`http://127.0.0.1:${port}/collections/soak/documents/export`, {
    headers: { 'x-typesense-api-key': apiKey },
  });
  if (!response.ok) throw new Error(`The server answered the export with ${response.status}.`);
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const { id, turn } = z.object({ id: z.string(), turn: z.number() }).parse(JSON.parse(line));
      return [id, turn];
    }),
  );
}
