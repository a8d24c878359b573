import { LogReader } from '../storage/logReader.ts';
import { logText, readLogLine } from '../storage/logText.ts';

/** The end of a log. Characters. */
const MOST_CHARACTERS = 400_000;

/**
 * The newest entries of the host's log as text for people, oldest first; empty where there is none. As JSON, a credential could hide behind the
 * escapes of its quotation marks from who looks for its form.
 *
 * @param folder - of the log
 */
export async function readLog(folder: string): Promise<string> {
  await using reader = await LogReader.open(folder);
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
