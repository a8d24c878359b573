import { RowSplitter, trimmed } from './rowSplitter.ts';

const LINE_FEED = 0x0a;

/** One row a line. Blank lines are none. */
export class JsonLinesSplitter extends RowSplitter {
  protected override scan(data: Uint8Array, from: number): number {
    return data.indexOf(LINE_FEED, from) + 1 || -1;
  }

  protected override contentOf(bytes: Uint8Array): Uint8Array | undefined {
    const content = trimmed(bytes);
    return content.length === 0 ? undefined : content;
  }

  protected override linesIn(bytes: Uint8Array): number {
    return bytes.at(-1) === LINE_FEED ? 1 : 0;
  }
}
