/** White space, comments and lines for the client, such as `\connect sales`, before a statement's first word. */
const LEADING = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/|\\[^\n]*(?:\n|$))+/;

/** A statement of SQL from its first word on. */
export function afterComments(statement: string): string {
  return statement.replace(LEADING, '');
}
