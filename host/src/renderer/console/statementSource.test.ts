import { describe, expect, it } from 'vitest';
import { faultIn, fromText } from './statementSource.ts';

const text = 'SELECT 1;\n\nSELECT naem\nFROM films;\n';
const own = 'SELECT naem\nFROM films';
const start = text.indexOf(own);
const statement = fromText(text, { text: own, start, end: start + own.length });
const offset = own.indexOf('naem');
const found = (now: string): string | undefined => {
  const place = faultIn(now, { statement, offset });
  return place === undefined ? undefined : `${place.from}:${now.slice(place.from, place.to)}`;
};

describe('a fault in the text of the editor', () => {
  it('is where the statement was started', () => {
    expect(found(text)).toBe(`${start + offset}:naem`);
    expect(found(`${text}\n${own}`)).toBe(`${start + offset}:naem`);
  });

  it('moves with its statement', () => {
    expect(found(`-- films\n${text}`)).toBe(`${start + offset + 9}:naem`);
    expect(found(own)).toBe(`${offset}:naem`);
  });

  it('is nowhere when the statement has changed, or is there several times', () => {
    expect(found(text.replace('naem', 'name'))).toBeUndefined();
    expect(found(`-- films\n${text}${own}`)).toBeUndefined();
    expect(found('')).toBeUndefined();
  });

  it('is nowhere for a statement that is from elsewhere', () => {
    expect(faultIn(text, { statement: { text: own }, offset })).toBeUndefined();
  });

  it('is found behind a line that the driver put in front, and at the end of the statement', () => {
    const placed = { ...statement, text: `\\connect films\n${own}` };
    const at = (fault: number): unknown => faultIn(text, { statement: placed, offset: fault });
    expect(at(placed.text.indexOf('naem'))).toEqual({ from: start + offset, to: start + offset + 4 });
    expect(at(placed.text.length)).toEqual({ from: start + own.length, to: start + own.length });
  });
});
