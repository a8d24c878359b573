/** Characters of one value. */
const LONGEST = 2_000;

/** Parameters of a request, each at most once, as OAuth requires: a check of the first and a use of the last would differ. */
export type Parameters = ReadonlyMap<string, string>;

/** @returns undefined when one is there twice or is too long */
export function readParameters(text: string): Parameters | undefined {
  const read = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (read.has(name) || value.length > LONGEST || read.size >= 50) return undefined;
    // An empty value counts as none (RFC 6749, 3.1).
    read.set(name, value);
  }
  for (const [name, value] of read) if (value === '') read.delete(name);
  return read;
}
