/** Words as rules compare them: without regard to upper case and to blanks. */
export function searchWords(text: string): string {
  return text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
}
