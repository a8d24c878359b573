import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { timed } from './budget.ts';

/** A program that speaks MCP on its standard input and output. */
export interface StdioProgram {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

/** From the start of the process to the answer to `initialize`. */
export function coldStart({ program, args, env }: StdioProgram): Promise<number> {
  return timed(async () => {
    const child = spawn(program, [...args], { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = once(child, 'exit');
    const answer = once(createInterface({ input: child.stdout }), 'line');
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const left = ended.then(() => {
      throw new Error(`${args.join(' ')} ended before it had answered.`);
    });
    await Promise.race([answer, left]);
    left.catch(() => undefined);
    child.kill('SIGKILL');
    await ended;
  });
}

/** Gives a client of a program, which ends with the work. */
export async function withStdio(
  { program, args, env }: StdioProgram,
  work: (client: Client, pid: number) => Promise<void>,
): Promise<void> {
  const transport = new StdioClientTransport({
    command: program,
    args: [...args],
    env: { ...(process.env as Record<string, string>), ...env },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  try {
    if (transport.pid === null) throw new Error('The program has no process.');
    await work(client, transport.pid);
  } finally {
    await client.close();
  }
}

/** Of the process, in kB. */
export async function residentKilobytes(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
