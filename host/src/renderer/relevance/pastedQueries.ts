/** The queries of a text, one on a line, each once. */
export function pastedQueries(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}
