/** Characters of a call that are compared without punctuation; of more, only letter case is ignored. */
const MOST_FOLDED = 1_000_000;

/**
 * Whether a client sent a value in its own call, in any string or key of it: as it is, in another letter case, or cut into pieces by
 * punctuation, such as `'hun' || 'ter2'`.
 *
 * An error that quotes the client's own words must quote them as they are. Hiding a word because it equals a secret would confirm the
 * client's guess.
 *
 * @param sent - the values that the client sent, such as the name and the arguments of a tool call
 */
export function wasSent(sent: unknown, value: string): boolean {
  const text = stringsOf(sent).join('\n').toLowerCase();
  const wanted = value.toLowerCase();
  if (text.includes(wanted) || text.includes(encodeURIComponent(wanted).toLowerCase())) return true;
  if (text.length > MOST_FOLDED) return false;
  const folded = fold(wanted);
  return folded !== '' && fold(text).includes(folded);
}

/** A percent-encoded text as it is, and decoded as often as anything here decodes it. */
export function decodings(text: string): readonly string[] {
  const once = decodeRuns(text);
  return [text, once, decodeRuns(once)];
}

function decodeRuns(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

function fold(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** By a list of what is left to visit: a call may be nested as deeply as its body has characters. */
function stringsOf(sent: unknown): string[] {
  const strings: string[] = [];
  const left: unknown[] = [sent];
  for (let value = left.pop(); value !== undefined || left.length > 0; value = left.pop()) {
    if (typeof value === 'string') strings.push(value);
    else if (typeof value === 'number' || typeof value === 'boolean') strings.push(String(value));
    else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        if (!Array.isArray(value)) strings.push(key);
        left.push(child);
      }
    }
  }
  return strings;
}
