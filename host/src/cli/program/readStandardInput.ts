import type { ProgramContext } from './programContext.ts';

/** Everything that standard input gives, as text. */
export async function readStandardInput(context: ProgramContext): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of context.terminal.stdin as AsyncIterable<Buffer | string>) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
