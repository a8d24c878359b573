/** The first line of a statement, for a list. A line for the client, such as `\connect sales`, stands before the first line of SQL. */
export function statementLabel(statement: string): string {
  const [first = '', second] = statement.split('\n', 2);
  return first.startsWith('\\') && second !== undefined ? `${first} ${second}` : first;
}
