/** A path as one word of a command that a person copies. The same as `typedWord` of the host, which a test holds it to: a bridge imports nothing. */
export function pathWord(text: string): string {
  return /^[\w./@%+,:-][\w./@%+,:=-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
