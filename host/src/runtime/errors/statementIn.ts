/** The statement in the input of a call; undefined for a call of something else. @param member - the member that it is */
export function statementIn(input: unknown, member: 'statement' | 'text' = 'statement'): string | undefined {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, member)) return undefined;
  const statement: unknown = (input as Readonly<Record<string, unknown>>)[member];
  return typeof statement === 'string' ? statement : undefined;
}
