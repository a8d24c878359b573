/** A text as one word of a POSIX shell: inside single quotes a shell reads nothing but the quote itself. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
