/** The value of a record under a name from outside. A plain lookup of `constructor` or `__proto__` finds a member of Object.prototype. */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
