import { DOCUMENTATION_PATH } from '../common/documentationPath.ts';
import type { FetchHandler } from '../common/fetchHandler.ts';
import { DocumentationFiles } from './documentationFiles.ts';
import { COMMON_HEADERS, contentSecurityPolicy, newNonce } from './securityHeaders.ts';
import { StaticFiles } from './staticFiles.ts';
import { windowPage } from './windowPage.ts';

/** The scheme of the desktop shell's own page: no port, and no page of the web can reach it. */
export const APP_SCHEME = 'tabularium-app';
export const APP_URL = `${APP_SCHEME}://app/`;

/** Whether an address is of the page's own origin. Not by `URL.origin`: Node calls the origin of every scheme it does not know "null". */
export function isOfPage(pageUrl: string, url: string): boolean {
  return url.startsWith(pageUrl);
}

/** The whole window behind one handler: the runtime's API under `/api/`, and the files of the built renderer. To its own page alone. */
export async function windowHandler(
  api: FetchHandler,
  rendererFolder: string,
  documentationFolder?: string,
): Promise<FetchHandler> {
  const files = new StaticFiles(rendererFolder);
  const documentation = documentationFolder === undefined ? undefined : new DocumentationFiles(documentationFolder);
  await files.refresh();

  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/api/')) return api(request);
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    if (documentation !== undefined && request.method === 'GET' && name.startsWith(DOCUMENTATION_PATH)) {
      const { status, headers, body } = await documentation.answer(
        name.slice(DOCUMENTATION_PATH.length),
        `/${DOCUMENTATION_PATH}`,
      );
      return new Response(typeof body === 'string' ? body : new Uint8Array(body), { status, headers });
    }
    const file = request.method === 'GET' ? files.find(name) : undefined;
    if (file === undefined) return new Response(null, { status: 404 });
    const content = await file.read();
    const headers = { 'content-type': file.type };
    if (name !== 'index.html') return new Response(new Uint8Array(content), { headers });
    const nonce = newNonce();
    return new Response(await windowPage(content.toString('utf8'), nonce, api, APP_URL), {
      headers: { ...headers, 'content-security-policy': contentSecurityPolicy(nonce) },
    });
  };

  return async (request) => {
    if (!isOfPage(APP_URL, request.url)) return new Response(null, { status: 403 });
    const response = await answer(request);
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(COMMON_HEADERS)) headers.set(name, value);
    if (!headers.has('content-security-policy')) headers.set('content-security-policy', contentSecurityPolicy());
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
  };
}
