/** The path of this window where a browser shows it, `/w/<random>/`. Undefined in the desktop shell, which has no session to lose. */
export function ownPath(): string | undefined {
  // Unit tests run without a page.
  if (typeof location === 'undefined') return undefined;
  return /^\/w\/[A-Za-z0-9_-]{43}\//.exec(location.pathname)?.[0];
}
