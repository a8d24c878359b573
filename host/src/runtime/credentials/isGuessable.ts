/** A floor and not a measure: dictionaries and names pass it. Bits. */
const FEWEST_BITS = 40;

/**
 * Whether a passphrase is easy to guess for its form alone: what repeats counts once, and each byte of it as much as the number of different ones
 * allows. So one byte or one word again and again is, and 16 bytes of anything random are not.
 */
export function isGuessable(key: Uint8Array): boolean {
  const unit = key.subarray(0, periodOf(key));
  // Of nothing the product is not a number.
  return !(unit.length * Math.log2(new Set(unit).size) >= FEWEST_BITS);
}

/** The length of the shortest piece that makes the whole when it is repeated, the last time perhaps in part. */
function periodOf(bytes: Uint8Array): number {
  // For each beginning of the text, the longest proper beginning that is also its end (Knuth, Morris, Pratt).
  const borders = [0];
  for (let at = 1, border = 0; at < bytes.length; at += 1) {
    while (border > 0 && bytes[at] !== bytes[border]) border = borders[border - 1] ?? 0;
    if (bytes[at] === bytes[border]) border += 1;
    borders.push(border);
  }
  return bytes.length - (borders.at(-1) ?? 0);
}
