import { describe, expect, it } from 'vitest';
import { answering } from './answers.test-helper.ts';
import { connect } from './connect.ts';
import { call } from './fixture.test-helper.ts';
import { otherServerError } from './otherServer.ts';

const NGINX =
  '<html>\r\n<head><title>404 Not Found</title></head>\r\n<body><center><h1>404 Not Found</h1></center><hr>nginx/1.26</body></html>';
const LOGIN =
  '<!DOCTYPE html><html><body><form action="/oauth2/start"><input type="password" value="hunter2"></form></body></html>';
const ELASTIC =
  '{"error":{"root_cause":[{"type":"index_not_found_exception","reason":"no such index [collections]"}],"type":"index_not_found_exception"},"status":404}';
const ELASTIC_ROOT = '{"name":"n","cluster_name":"docker","version":{"number":"8.15.0"},"tagline":"You Know, for Search"}';
const ELASTIC_METHOD = '{"error":"Incorrect HTTP method for uri [/collections] and method [GET], allowed: [PUT]","status":405}';
const MEILI =
  '{"message":"The Authorization header is missing.","code":"missing_authorization_header","type":"auth","link":"https://docs.meilisearch.com/errors#missing_authorization_header"}';

describe('a server of another kind', () => {
  it.each([
    [404, NGINX, 'A web server', 'path prefix'],
    [200, NGINX, 'A web server', 'path prefix'],
    [403, NGINX, 'A web server', 'path prefix'],
    [200, LOGIN, 'A sign-in page', 'sign-in first'],
    [401, LOGIN, 'A sign-in page', 'sign-in first'],
    [404, ELASTIC, 'Elasticsearch or OpenSearch', 'Typesense-compatible'],
    [405, ELASTIC_METHOD, 'Elasticsearch or OpenSearch', 'Typesense-compatible'],
    [400, ELASTIC_ROOT, 'Elasticsearch or OpenSearch', 'Typesense-compatible'],
    [404, "[127.0.0.1:8107][E1002]Fail to find method on `/collections'", 'Another kind of server', 'host and port'],
    [404, '', 'Another kind of server', 'Typesense-compatible'],
    [401, MEILI, 'Meilisearch', 'Typesense-compatible'],
  ])('that answers %i %.30s is named, and none of it is repeated', async (status, body, name, advice) => {
    const http = answering(() => ({ status, type: 'text/plain', body }));
    const error: unknown = await connect({}, { http, log: () => undefined }, call).catch((found: unknown) => found);
    expect(error).toMatchObject({ code: 'BAD_ANSWER', message: expect.stringContaining(name) as string });
    expect(error).toMatchObject({ advice: expect.stringContaining(advice) as string });
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  it('is not what an answer to HEAD says, which has no body from a search server either', () => {
    expect(otherServerError(404, '', 'HEAD /collections')).toBeUndefined();
    expect(otherServerError(404, '', 'GET /collections')).toMatchObject({ code: 'BAD_ANSWER' });
  });

  it('is not what a proxy says of a server that is down', async () => {
    const http = answering(() => ({ status: 502, type: 'text/html', body: '<html>502 Bad Gateway</html>' }));
    await expect(connect({}, { http, log: () => undefined }, call)).rejects.toMatchObject({ code: 'SERVER_ERROR' });
  });
});
