/** Positions beyond it become this one. */
const LAST_POSITION = 16_383;
/** The server drops further positions of a lexeme. */
const MOST_POSITIONS = 256;
/** A quoted part of a lexeme, an escaped character, positions, the blanks between two lexemes, or another character. */
const PART = /'[^'\\]*(?:(?:''|\\.)[^'\\]*)*'|\\.|:(\d+[*A-D]?(?:,\d+[*A-D]?)*)|(\s+)|./gis;

/** Whether a `tsvector` stores each position and weight of a text. Its order, and a lexeme that is there twice, aren't its value. */
export function keepsPositions(text: string): boolean {
  const lexemes = new Map<string, Map<number, string>>();
  let lexeme = '';
  for (const [part, positions, blank] of text.matchAll(PART)) {
    if (blank !== undefined) lexeme = '';
    else if (positions === undefined) lexeme += lettersOf(part);
    else {
      const weights = lexemes.get(lexeme) ?? new Map<number, string>();
      lexemes.set(lexeme, weights);
      for (const one of positions.split(',')) {
        const position = Number.parseInt(one, 10);
        const weight = one.replace(/^\d+/, '').toUpperCase().replace('*', 'A') || 'D';
        if (position > LAST_POSITION || (weights.get(position) ?? weight) !== weight) return false;
        weights.set(position, weight);
      }
      if (weights.size > MOST_POSITIONS) return false;
    }
  }
  return true;
}

function lettersOf(part: string): string {
  if (part.length > 1 && part.startsWith("'")) return part.slice(1, -1).replaceAll("''", "'").replaceAll(/\\(.)/gs, '$1');
  return part.startsWith('\\') ? part.slice(1) : part;
}
