import { HostError } from '../../common/errors.ts';
import { LogReader } from '../storage/logReader.ts';
import { logText, readLogLine } from '../storage/logText.ts';

/** The end of a log. Characters. */
const MOST_CHARACTERS = 400_000;

/**
 * The newest entries of the host's log as text for people, oldest first; empty where there is none. As JSON, a credential could hide behind the
 * escapes of its quotation marks from who looks for its form.
 *
 * @param folder - of the log. One that can't be read gives a line that says so: the rest of a report is worth having
 */
export async function readLog(folder: string, signal: AbortSignal): Promise<string> {
  try {
    return await newestEntries(folder, signal);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return `The log can't be read: ${error.message}\n`;
  }
}

async function newestEntries(folder: string, signal: AbortSignal): Promise<string> {
  await using reader = await LogReader.open(folder, signal);
  const texts: string[] = [];
  let characters = 0;
  for await (const line of reader.newestFirst()) {
    const entry = readLogLine(line);
    const text = entry === undefined ? `${line.replaceAll('\\"', '"')}\n` : logText(entry);
    characters += text.length;
    if (characters > MOST_CHARACTERS) break;
    texts.push(text);
  }
  return texts.reverse().join('');
}
