import { discoverOAuthProtectedResourceMetadata, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { McpFixture } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { modernRequest, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';

const PATHS = ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'];

describe('the metadata of the protected resource', () => {
  const listed = 'https://client.example';
  let fixture: McpFixture;
  let port: number;

  beforeEach(async () => {
    fixture = new McpFixture({ allowedOrigins: () => [listed] });
    ({ port } = await fixture.start());
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  it('is named by a 401, and the official client finds and reads it', async () => {
    const answer = await fetch(fixture.address.url, { method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(answer.status).toBe(401);
    const { resourceMetadataUrl } = extractWWWAuthenticateParams(answer);
    expect(resourceMetadataUrl?.href).toBe(`http://127.0.0.1:${port}${PATHS[0]}`);
    const metadata = await discoverOAuthProtectedResourceMetadata(fixture.address.url, {
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    });
    expect(metadata).toEqual({
      resource: fixture.address.url,
      resource_name: 'Tabularium',
      bearer_methods_supported: ['header'],
    });
  });

  it.each(PATHS)('at %s has the address that the client used, as behind an SSH forward', async (path) => {
    const answer = await rawRequest(port, { method: 'GET', path, headers: { host: 'LocalHost:9000' } });
    expect(answer).toMatchObject({ status: 200, json: { resource: 'http://localhost:9000/mcp' } });
    const refused = await rawRequest(port, { ...modernRequest('server/discover'), headers: { host: '[::1]:9000' } });
    expect(refused.headers['www-authenticate']).toContain(`resource_metadata="http://[::1]:9000${PATHS[0]}"`);
  });

  it.each(PATHS)('at %s is refused for a foreign Host or Origin, like everything else', async (path) => {
    for (const headers of [{ host: 'rebound.example' }, { host: 'x"@localhost' }, { origin: 'https://evil.example' }]) {
      const answer = await rawRequest(port, { method: 'GET', path, headers });
      expect([400, 403]).toContain(answer.status);
      expect(answer.text).not.toContain('resource_name');
    }
    expect((await rawRequest(port, { method: 'POST', path, body: {} })).status).toBe(405);
  });

  it('is readable for the page of a listed origin, which may send headers, and for no other page', async () => {
    const path = PATHS[0] ?? '';
    const read = await rawRequest(port, { method: 'GET', path, headers: { origin: listed } });
    expect(read).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': listed } });
    const asked = await rawRequest(port, {
      method: 'OPTIONS',
      path,
      headers: { origin: listed, 'access-control-request-method': 'GET' },
    });
    expect(asked).toMatchObject({ status: 204, headers: { 'access-control-allow-methods': 'GET' } });
    const local = await rawRequest(port, { method: 'GET', path, headers: { origin: 'http://localhost:1' } });
    expect(local.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
