import type { FetchHandler } from '../common/fetchHandler.ts';
import { contentSecurityPolicy, newNonce, withNonce } from '../web/securityHeaders.ts';
import { StaticFiles } from '../web/staticFiles.ts';

/** The whole window behind one handler: the runtime's API under `/api/`, and the files of the built renderer. */
export async function windowHandler(api: FetchHandler, rendererFolder: string): Promise<FetchHandler> {
  const files = new StaticFiles(rendererFolder);
  await files.refresh();

  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/api/')) return api(request);
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    const file = request.method === 'GET' ? files.find(name) : undefined;
    if (file === undefined) return new Response(null, { status: 404 });
    const content = await file.read();
    const headers = { 'content-type': file.type };
    if (name !== 'index.html') return new Response(new Uint8Array(content), { headers });
    const nonce = newNonce();
    return new Response(withNonce(content.toString('utf8'), nonce), {
      headers: { ...headers, 'content-security-policy': contentSecurityPolicy(nonce) },
    });
  };
}
