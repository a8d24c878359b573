import { describe, expect, it } from 'vitest';
import { documentPart, documentValue, isDocument, isJsonValue, withDocumentPart, withDocumentValue } from './documentText.ts';

const TEXT = '{\n  "id": 12345678901234567890,\n  "f": 1.0,\n  "rule": {"query": "a", "tags": ["x"]}\n}';

describe('a document that a form changes', () => {
  it('keeps every digit and every other member', () => {
    const changed = withDocumentValue(TEXT, ['rule', 'query'], 'b');
    expect(changed).toBe(TEXT.replace('"a"', '"b"'));
    expect(withDocumentValue(changed, ['rule', 'query'], 'a')).toBe(TEXT);
    expect(withDocumentValue(TEXT, ['rule'], undefined)).toContain('12345678901234567890,\n  "f": 1.0');
  });

  it('takes parts with their digits, whatever is in them', () => {
    const part = '{"n":12345678901234567890,"$&":1.0}';
    const changed = withDocumentPart(TEXT, ['value'], part);
    expect(documentPart(changed, ['value'])).toBe(part);
    expect(isDocument(changed)).toBe(true);
  });

  it('gets objects that are missing on the way', () => {
    expect(documentValue(withDocumentValue('{}', ['rule', 'query'], 'a'), ['rule', 'query'])).toBe('a');
    expect(documentValue(withDocumentValue('{}', ['list', 0, 'id'], '1'), ['list'])).toEqual([{ id: '1' }]);
  });

  it('says what is there and what is not', () => {
    expect(documentValue(TEXT, ['rule', 'tags'])).toEqual(['x']);
    expect(documentValue(TEXT, ['nowhere', 'at', 'all'])).toBeUndefined();
    expect(documentPart(TEXT, ['nowhere'])).toBe('');
    expect([isDocument('{'), isDocument('[]'), isDocument('{} // x'), isDocument(' {} ')]).toEqual([false, false, false, true]);
    expect([isJsonValue(''), isJsonValue('1'), isJsonValue('{')]).toEqual([false, true, false]);
  });
});
