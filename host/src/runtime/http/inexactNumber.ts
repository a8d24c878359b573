import { setImmediate as nextTurn } from 'node:timers/promises';
import { isExactNumber } from './exactNumber.ts';
import { endOfText } from './jsonShape.ts';

/** Numbers that are looked at before other work has its turn: about 10 ms. */
const NUMBERS_AT_ONCE = 20_000;
/** Bytes that are looked at before other work has its turn. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;
const QUOTE = 0x22;

/**
 * The first number of a JSON text that a double does not hold, as it is written there: parsed, it would be another one. Undefined where all are exact.
 */
export async function inexactNumber(bytes: Uint8Array): Promise<string | undefined> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let looked = 0;
  let turn = BYTES_AT_ONCE;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at >= turn || looked >= NUMBERS_AT_ONCE) {
      turn = at + BYTES_AT_ONCE;
      looked = 0;
      await nextTurn();
    }
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfText(bytes, at + 1);
    else if (beginsNumber(byte)) {
      const start = at;
      while (continuesNumber(bytes[at + 1])) at += 1;
      looked += 1;
      const source = text.toString('latin1', start, at + 1);
      if (!isExactNumber(source)) return source;
    }
  }
  return undefined;
}

function beginsNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d;
}

/** A digit, a sign, a point or an exponent. */
function continuesNumber(byte: number | undefined): boolean {
  return byte !== undefined && (beginsNumber(byte) || byte === 0x2b || byte === 0x2e || byte === 0x65 || byte === 0x45);
}
