import { describe, expect, it } from 'vitest';
import { gridText } from './gridText.ts';

describe('gridText', () => {
  it('shows a point as latitude and longitude, and a value that is not one as it is', () => {
    expect(gridText('[48.8566,2.3522]', { kind: 'geo' }).text).toBe('48.8566, 2.3522');
    expect(gridText('[[1,2],[3,4]]', { kind: 'geo' }).text).toBe('[[1,2],[3,4]]');
  });

  it('shows a long list of numbers as its length and its first numbers', () => {
    const vector = JSON.stringify(Array.from({ length: 1_536 }, (_, index) => index / 4));
    expect(gridText(vector, { kind: 'json' }).text).toBe('1,536 numbers · 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75…');
    expect(gridText('[1,2.5]', { kind: 'json' }).text).toBe('[1,2.5]');
    const mixed = JSON.stringify([...Array.from({ length: 400 }, () => 1), 'a']);
    expect(gridText(mixed, { kind: 'json' })).toMatchObject({ text: `${mixed.slice(0, 300)}…`, length: '805' });
  });

  it('says how long a text is that is cut', () => {
    expect(gridText('x'.repeat(12_345), { kind: 'text' })).toEqual({
      text: `${'x'.repeat(300)}…`,
      tone: 'text',
      length: '12,345',
      title: '12,345 characters. Open the inspector to see them all.',
    });
    expect(gridText('x'.repeat(300), { kind: 'text' })).toEqual({ text: 'x'.repeat(300), tone: 'text' });
    expect(gridText(`${'x'.repeat(299)}😀😀`, { kind: 'text' }).length).toBe('303');
  });

  it('marks the address of a picture', () => {
    expect(gridText('https://pictures.example/b.png', { kind: 'text' }).mark).toBe('picture');
    expect(gridText('https://pictures.example/', { kind: 'text' }).mark).toBeUndefined();
  });
});
