/** A text as one word of a command that a person copies into a shell. */
export function typedWord(text: string): string {
  return /^[\w./@%+,:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
