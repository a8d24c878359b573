/** Two 32-bit FNV-1a hashes, of the text forwards and backwards: they compare two states, and protect nothing. */
export function textHash(text: string): string {
  const characters = [...text];
  return [characters, characters.toReversed()]
    .map((all) =>
      all
        .reduce((hash, character) => Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0, 2_166_136_261)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('');
}
