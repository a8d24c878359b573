import { ABSENT } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { editFaultText } from './editFault.ts';
import { editText, valueOf } from './editValue.ts';

describe('what was typed', () => {
  it('keeps every digit', () => {
    expect(valueOf('9007199254740993', { kind: 'integer' })).toEqual({ ok: true, value: '9007199254740993' });
    expect(valueOf(' 42 ', { kind: 'integer' })).toEqual({ ok: true, value: 42 });
    expect(valueOf('1.50', { kind: 'decimal' })).toEqual({ ok: true, value: '1.50' });
  });

  it.each([
    ['1.5', 'integer'],
    ['', 'integer'],
    ['1,5', 'decimal'],
    ['maybe', 'boolean'],
    ['[1,', 'json'],
  ] as const)('rejects %j as %s', (text, kind) => {
    expect(valueOf(text, { kind })).toEqual({ ok: false, fault: { fault: 'kind', kind } });
  });

  it('is rejected beyond the range of the column, which is where a person can still see it', () => {
    const range = { least: '-2147483648', greatest: '2147483647' };
    expect(valueOf('2147483647', { kind: 'integer', range })).toEqual({ ok: true, value: 2147483647 });
    expect(valueOf('99999999999', { kind: 'integer', range })).toEqual({ ok: false, fault: { fault: 'range', range } });
    expect(valueOf('9'.repeat(1_000), { kind: 'text', range })).toMatchObject({ ok: true });
  });

  it('is rejected where a double would hold 0 in its place', () => {
    const range = { least: String(-Number.MAX_VALUE), greatest: String(Number.MAX_VALUE) };
    expect(valueOf('1e-400', { kind: 'decimal', range })).toEqual({ ok: false, fault: { fault: 'range', range } });
    expect(editFaultText({ fault: 'range', range })).toMatch(/and not closer to 0 than 5e-324\.$/);
    expect(valueOf('0.0', { kind: 'decimal', range })).toEqual({ ok: true, value: '0.0' });
  });

  it('is what the column stores besides numbers, in letters of either case', () => {
    const specialValues = ['NaN', 'Infinity', '-Infinity'];
    const range = { least: '-10', greatest: '10' };
    expect(valueOf(' nan ', { kind: 'decimal', specialValues, range })).toEqual({ ok: true, value: ['text', 'NaN'] });
    expect(valueOf('-INFINITY', { kind: 'decimal', specialValues })).toEqual({ ok: true, value: ['text', '-Infinity'] });
    expect(valueOf('NaN', { kind: 'decimal' })).toEqual({ ok: false, fault: { fault: 'kind', kind: 'decimal' } });
    expect(valueOf('Inf', { kind: 'decimal', specialValues })).toEqual({ ok: false, fault: { fault: 'kind', kind: 'decimal' } });
    expect(valueOf('NaN', { kind: 'text', specialValues })).toEqual({ ok: true, value: 'NaN' });
  });

  it.each([
    ['AAEh', 'AAEh'],
    ['3q2+7w==', '3q2+7w=='],
    ['', ''],
    [String.raw`\xdeadbeef`, '3q2+7w=='],
    [String.raw`\x`, ''],
    ['0xDEADBEEF', '3q2+7w=='],
    ['0xyz', '0xyz'],
  ])('%j is bytes', (text, value) => {
    expect(valueOf(text, { kind: 'bytes' })).toEqual({ ok: true, value });
  });

  it.each([
    ['0x00', 'unclearBytes'],
    ['deadbeef', 'unclearBytes'],
    [' BEEF ', 'unclearBytes'],
    ['1234', 'unclearBytes'],
    ['0xdea', 'bytes'],
    ['hello', 'bytes'],
    [String.raw`\xabc`, 'bytes'],
    ['AAE', 'bytes'],
  ] as const)('%j is refused as bytes, at the field', (text, kind) => {
    const fault = { fault: 'kind', kind } as const;
    expect(valueOf(text, { kind: 'bytes' })).toEqual({ ok: false, fault });
    expect(editFaultText(fault)).toContain(String.raw`\x`);
  });

  it('is a truth value, a JSON text or a text as the column says', () => {
    for (const text of ['True', 't', 'YES', 'y', ' on ', '1'])
      expect(valueOf(text, { kind: 'boolean' })).toEqual({ ok: true, value: true });
    for (const text of ['false', 'F', 'no', 'n', 'Off', '0'])
      expect(valueOf(text, { kind: 'boolean' })).toEqual({ ok: true, value: false });
    for (const text of ['', 'maybe', '2', 'tr'])
      expect(valueOf(text, { kind: 'boolean' })).toEqual({ ok: false, fault: { fault: 'kind', kind: 'boolean' } });
    expect(valueOf('[1.0]', { kind: 'json' })).toEqual({ ok: true, value: '[1.0]' });
    expect(valueOf(' 7 ', { kind: 'text' })).toEqual({ ok: true, value: ' 7 ' });
  });
});

describe('what an editor begins with', () => {
  it('is the whole value, and nothing for null and absent', () => {
    expect(editText('9007199254740993', 'integer')).toBe('9007199254740993');
    expect(editText(null, 'text')).toBe('');
    expect(editText(ABSENT, 'text')).toBe('');
  });
});
