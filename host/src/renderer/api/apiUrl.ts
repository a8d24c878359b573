/**
 * Where a path of the API is, seen from this page. Never from the root of the origin: in a browser the window is below a path that
 * can't be guessed, and only there does the browser send the window's cookie.
 */
export function apiUrl(path: string): string {
  return new URL(path.replace(/^\//, ''), document.baseURI).href;
}
