/** The first line of a statement, for a list. The first line of SQL is behind a line for the client, such as `\connect sales`. */
export function statementLabel(statement: string): string {
  const [first = '', second] = statement.split('\n', 2);
  return first.startsWith('\\') && second !== undefined ? `${first} ${second}` : first;
}
