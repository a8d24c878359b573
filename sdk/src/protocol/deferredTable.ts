/** A table whose entries are made when they are first read; they stay the same from then on. All names are there from the beginning. */
export function deferredTable<T extends Readonly<Record<string, () => unknown>>>(
  makers: T,
): { readonly [Name in keyof T]: ReturnType<T[Name]> } {
  const table = {};
  for (const [name, make] of Object.entries(makers)) {
    let made: unknown;
    Object.defineProperty(table, name, { enumerable: true, get: () => (made ??= make()) });
  }
  return table as { readonly [Name in keyof T]: ReturnType<T[Name]> };
}
