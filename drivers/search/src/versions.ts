/** A server's version as a number to compare, `27.01` for 27.1; undefined for a version that has another form. */
export function versionNumber(version: string | undefined): number | undefined {
  const [, major, minor] = /^(\d{1,4})\.(\d{1,2})(?!\d)/.exec(version ?? '') ?? [];
  return major === undefined || minor === undefined ? undefined : Number(major) + Number(minor) / 100;
}

/** Whether a version has something of the server's interface. Where the server hides its version, everything is offered. */
export function has(version: number | undefined, { since = 0, until = Infinity }: { since?: number; until?: number }): boolean {
  return version === undefined || (version >= since && version < until);
}

/** A version as people write it: 27.1 for `27.01`. */
export function versionText(version: number): string {
  return `${Math.trunc(version)}.${Math.round((version % 1) * 100)}`;
}
