import { writeContent } from '../terminal.ts';
import { writeNewFile } from '../textFiles.ts';
import { UsageError } from '../usageError.ts';
import { STANDARD_STREAM, namedPath } from './namedPath.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

export interface OutputOptions extends JsonOption {
  readonly output: string;
  readonly overwrite?: true;
}

/**
 * Writes the content that a command was asked for.
 *
 * @returns the file; undefined for standard output, where nothing else may be printed
 * @throws UsageError as {@link goesToOutput}; HostError as `writeNewFile`
 */
export async function writeOutput(context: ProgramContext, options: OutputOptions, content: string): Promise<string | undefined> {
  if (goesToOutput(options)) {
    await writeContent(context.terminal.stdout, content);
    return undefined;
  }
  const file = namedPath(context, options.output);
  await writeNewFile(file, content, options.overwrite === true, (await context.home()).folder);
  return file;
}

/** @throws UsageError where the answer would be printed there, too */
export function goesToOutput({ output, json }: OutputOptions): boolean {
  if (output !== STANDARD_STREAM) return false;
  if (json === true) throw new UsageError('--output - and --json both print on standard output. Leave one of them out.');
  return true;
}
