/** Shorter values aren't secrets, and hiding them would leave no text readable. */
export const SHORTEST_SOUGHT = 3;
/** From this length on a value is hidden inside longer words too. */
const SHORTEST_ANYWHERE = 6;
const HIDDEN = '[hidden]';

const WORD_END = /[\p{L}\p{N}_]$/u;
const WORD_START = /^[\p{L}\p{N}_]/u;

/** A text without a value. A short value could be part of an ordinary word: it is hidden only where no letter, digit or `_` touches it. */
export function hideValue(text: string, value: string): string {
  if (value.length < SHORTEST_SOUGHT || !text.includes(value)) return text;
  if (value.length >= SHORTEST_ANYWHERE) return text.replaceAll(value, HIDDEN);
  const parts = text.split(value);
  return parts.reduce((before, after, index) => {
    const left = index > 1 && parts[index - 1] === '' ? value : (parts[index - 1] ?? '');
    const right = index < parts.length - 1 && after === '' ? value : after;
    // Two UTF-16 units hold any character.
    const touches = WORD_END.test(left.slice(-2)) || WORD_START.test(right.slice(0, 2));
    return `${before}${touches ? value : HIDDEN}${after}`;
  });
}
