/**
 * Where a path of the API is, seen from this page. Never from the root of the origin: in a browser the window stands below a path that
 * nobody can guess, and only there does the browser send the window's cookie.
 */
export function apiUrl(path: string): string {
  return new URL(path.replace(/^\//, ''), document.baseURI).href;
}
