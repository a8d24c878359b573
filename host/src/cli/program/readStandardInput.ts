import { boundedText } from '../textFiles.ts';
import type { ProgramContext } from './programContext.ts';

/**
 * Everything that standard input gives, as text without a byte order mark.
 *
 * @param most - bytes
 * @throws HostError `INVALID_REQUEST` for more
 */
export async function readStandardInput(context: ProgramContext, most: number): Promise<string> {
  return boundedText(context.terminal.stdin as AsyncIterable<Buffer | string>, 'Standard input', most);
}
