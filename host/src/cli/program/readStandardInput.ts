import { withoutByteOrderMark } from '../textFiles.ts';
import type { ProgramContext } from './programContext.ts';

/** Everything that standard input gives, as text without a byte order mark. */
export async function readStandardInput(context: ProgramContext): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of context.terminal.stdin as AsyncIterable<Buffer | string>) chunks.push(Buffer.from(chunk));
  return withoutByteOrderMark(Buffer.concat(chunks).toString('utf8'));
}
