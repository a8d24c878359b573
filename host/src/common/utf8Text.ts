const LINE_FEED = 0x0a;

/** Bytes of another encoding than UTF-8. */
export class NotUtf8 extends Error {
  override readonly name = 'NotUtf8';
  /** The first such line, from 1. */
  readonly line: number;

  constructor(line: number) {
    super(`Line ${line} isn't UTF-8.`);
    this.line = line;
  }
}

/**
 * The text of bytes, without a byte order mark. Letters of another encoding are never replaced: what is made of the text would be something else than
 * what is in the file.
 *
 * @throws NotUtf8
 */
export function utf8Text(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return decoder.decode(bytes);
  } catch {
    throw new NotUtf8(foreignLine(bytes) ?? 1);
  }
}

/** The first line with bytes of another encoding than UTF-8, from 1; undefined where there is none. */
export function foreignLine(bytes: Uint8Array): number | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(LINE_FEED, start);
    try {
      decoder.decode(bytes.subarray(start, end < 0 ? bytes.length : end));
    } catch {
      return line;
    }
    if (end < 0) return undefined;
    start = end + 1;
  }
  return undefined;
}
