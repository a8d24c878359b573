/**
 * The beginning of a text, for a place that has room for so much. A character of two UTF-16 code units that the end would divide is left out, and half a
 * character that the text itself has becomes U+FFFD.
 *
 * @param most - UTF-16 code units
 */
export function wholeStart(text: string, most: number): string {
  const divides = /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(Math.max(0, most - 1), most + 1));
  return text.slice(0, divides ? most - 1 : most).toWellFormed();
}
