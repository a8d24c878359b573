import { open } from 'node:fs/promises';
import { join } from 'node:path';

/** The end of a log. Bytes. */
const MOST_BYTES = 400_000;

/** The newest lines of the host's log, oldest first; empty where there is none. The first line may have been cut off and is left out then. */
export async function readLog(folder: string): Promise<string> {
  const newest = await endOf(join(folder, 'host.log'), MOST_BYTES);
  if (newest.length >= MOST_BYTES) return newest;
  return (await endOf(join(folder, 'host.log.1'), MOST_BYTES - newest.length)) + newest;
}

async function endOf(path: string, most: number): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const length = Math.min(size, most);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const text = buffer.toString('utf8', 0, bytesRead);
    return size > most ? text.slice(text.indexOf('\n') + 1) : text;
  } finally {
    await file.close();
  }
}
