import { describe, expect, it } from 'vitest';
import { requestLine, serverError, serverWords } from './serverErrors.ts';

describe('an error answer', () => {
  it.each([
    [401, 'Forbidden - a valid `x-typesense-api-key` header must be sent.', 'ACCESS_REFUSED', 'API key'],
    [403, 'Forbidden', 'ACCESS_REFUSED', 'API key'],
    [400, 'Could not find a filter field named `zzz` in the schema.', 'STRUCTURE_CHANGED', 'zzz'],
    [404, 'Could not find a field named `title` in the schema for sorting.', 'STRUCTURE_CHANGED', 'title'],
    [404, 'Could not find a field named `zzz` in the schema.', 'STRUCTURE_CHANGED', 'zzz'],
    [400, 'Cannot filter on non-indexed field `note`.', 'UNSUPPORTED', 'note'],
    [404, 'Could not find a facet field named `title` in the schema.', 'STRUCTURE_CHANGED', 'no facet “title”'],
    [422, 'Rejecting write: running out of resource type: OUT_OF_DISK', 'SERVER_ERROR', 'disk is almost full'],
    [422, 'Rejecting write: running out of resource type: OUT_OF_MEMORY', 'SERVER_ERROR', 'memory is almost full'],
    [400, 'Error with filter field `title`: Filter value cannot be empty.', 'INVALID_INPUT', 'no word in the value for “title”'],
    [400, 'Field `status` must not be OUT_OF_DISK.', 'INVALID_INPUT', 'status'],
    [422, 'Only upto 250 hits can be fetched per page.', 'INVALID_INPUT', '250'],
    [400, 'Error with filter field `pages`: Not an int32.', 'INVALID_INPUT', 'int32'],
    [400, 'Field `pages` must be an int32.', 'INVALID_INPUT', 'int32'],
    [400, 'Could not parse the filter query.', 'INVALID_INPUT', 'filter query'],
    [
      400,
      'Query string exceeds max allowed length of 4000. Use the /multi_search end-point for larger payloads.',
      'INVALID_INPUT',
      '4000',
    ],
    [404, 'Collection not found', 'NOT_FOUND', 'GET /x'],
    [404, 'Not Found', 'NOT_FOUND', 'GET /x'],
    [409, 'A document with id 1 already exists.', 'CONFLICT', 'already exists'],
    [429, 'Rate limit exceeded or blocked', 'RATE_LIMITED', 'Rate limit'],
    [503, 'Not Ready or Lagging', 'SERVER_NOT_READY', 'Not Ready'],
    [500, 'Embedded params parsing error.', 'INVALID_INPUT', 'no list of searches'],
    [504, '', 'TIMEOUT', '504'],
    [502, '<html>Bad Gateway</html>', 'SERVER_ERROR', '502'],
    [404, '<html>nginx</html>', 'BAD_ANSWER', '404'],
    [418, 'teapot', 'INVALID_INPUT', 'teapot'],
  ] as const)('%i %s', (status, words, code, says) => {
    const error = serverError(status, words, 'GET /x');
    expect(error).toMatchObject({ code, details: { request: 'GET /x', status: String(status) } });
    expect(error.message).toContain(says);
    expect(error.advice).not.toBe('');
    if (words !== '') expect(error.details.serverMessage).toBe(words);
  });

  it('gives the words of a body, of whatever form', () => {
    expect(serverWords('{"message":"a"}')).toBe('a');
    expect(serverWords('{"code":400,"error":"b"}')).toBe('b');
    expect(serverWords(' plain ')).toBe('plain');
    expect(serverWords('{"x":1}')).toBe('{"x":1}');
  });

  it('never repeats a query, in which somebody may have written a key', () => {
    expect(requestLine('GET', '/collections?x-typesense-api-key=secret')).toBe('GET /collections');
  });

  it('shortens what is endless', () => {
    const error = serverError(500, 'x'.repeat(10_000), 'GET /x');
    expect(error.message.length).toBeLessThan(500);
    expect(error.details.serverMessage).toHaveLength(2_000);
  });
});
