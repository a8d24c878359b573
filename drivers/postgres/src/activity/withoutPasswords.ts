/** A statement that runs, without a password that it sets: whatever follows the word PASSWORD as a string, also a cut one, and verifiers anywhere. */
export function withoutPasswords(statement: string): string {
  return statement
    .replaceAll(/(\bPASSWORD\s{0,20})(?:[EU]&?)?'(?:[^'\\]|''|\\[^])*(?:'|\\?$)/gi, "$1'…'")
    .replaceAll(/(\bPASSWORD\s{0,20})\$\w{0,63}\$[^]*/gi, "$1'…'")
    .replaceAll(/SCRAM-SHA-256\$[\w:+/=$]+/g, 'SCRAM-SHA-256$…');
}
