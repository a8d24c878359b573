/** Pages that the transport itself has to show: without scripts and without styles. */
function page(title: string, sentences: readonly string[]): string {
  const paragraphs = sentences.map((sentence) => `<p>${sentence}</p>`).join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1>${paragraphs}</body></html>`;
}

export const NOT_SIGNED_IN_PAGE = page('The session of this window has expired', [
  'Open the address that Tabularium printed when it started. It works once.',
  'For another one, run <code>tabularium url</code> on this machine.',
]);

export const TOO_MANY_WINDOWS_PAGE = page('Too many windows are open', [
  'This host serves 64 windows, and all of them are in use. Close one and wait five minutes, then open this address again.',
]);

/** Leads to the window from a page of our own: after a link on another site, a browser sends no strict cookie with a redirect. */
export function entryPage(path: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${path}"><title>Tabularium</title></head><body><p><a href="${path}">Open the window</a></p></body></html>`;
}
