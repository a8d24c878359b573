const TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/gs;

/** Whether an object of a JSON text has a member twice: `jsonb` stores the last one. */
export function repeatsMember(text: string): boolean {
  const written = [...text.matchAll(TEXT)].filter(([, colon]) => colon !== undefined).length;
  if (written < 2) return false;
  try {
    return membersOf(JSON.parse(text)) < written;
  } catch {
    // Not JSON, or nested deeper than the server takes: it finds the fault.
    return false;
  }
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value).map(membersOf);
  return members.reduce((sum, count) => sum + count, Array.isArray(value) ? 0 : members.length);
}
