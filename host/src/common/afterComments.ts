/** White space and comments before a statement's first word. */
const LEADING = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;

/** A statement of SQL from its first word on. */
export function afterComments(statement: string): string {
  return statement.replace(LEADING, '');
}
