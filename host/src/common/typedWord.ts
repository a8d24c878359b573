/**
 * A text as one word of a command that a person copies into a shell: no part of it is read as anything else. Inside single quotes a POSIX shell reads nothing but
 * the quote itself; a word that begins with `=` is a program's path for some.
 */
export function typedWord(text: string): string {
  return /^[\w./@%+,:-][\w./@%+,:=-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
