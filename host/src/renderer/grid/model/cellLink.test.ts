import { describe, expect, it } from 'vitest';
import { cellLink, pictureAddress, pointOf } from './cellLink.ts';

describe('the address of a picture', () => {
  it.each(['https://pictures.example/a/b.JPG', 'http://pictures.example/b.webp?width=200#x', 'https://[2001:db8::1]/b.svg'])(
    'is %s',
    (text) => expect(pictureAddress(text)?.href).toBe(new URL(text).href),
  );

  it.each([
    'javascript:alert(1)//b.png',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd.png',
    ' https://pictures.example/b.png',
    'https://pictures.example/b.png and more',
    'https://bank.example@pictures.example/b.png',
    'https://pictures.example/page',
    'https://pictures.example/page?of=b.png',
    'https://',
    `https://pictures.example/${'b'.repeat(2_000)}.png`,
  ])('is not %s', (text) => expect(pictureAddress(text)).toBeUndefined());
});

describe('a point', () => {
  it.each([
    ['[48.8566,2.3522]', ['48.8566', '2.3522']],
    ['-33.90, 151.2', ['-33.90', '151.2']],
    ['[1e-7,0]', ['1e-7', '0']],
  ])('is read from %s with all its digits', (text, point) => expect(pointOf(text)).toEqual(point));

  it.each(['[91,0]', '[0,181]', '[1,2,3]', '[[1,2],[3,4]]', '[1e999,0]', '1,2&x=3', ''])('is not %s', (text) =>
    expect(pointOf(text)).toBeUndefined(),
  );
});

describe('what a value leads to', () => {
  it('is a map for a point', () => {
    expect(cellLink('[48.8566,2.3522]', { kind: 'geo' })).toEqual({
      kind: 'map',
      host: 'www.openstreetmap.org',
      href: 'https://www.openstreetmap.org/?mlat=48.856600&mlon=2.352200#map=14/48.856600/2.352200',
    });
  });

  it('is a picture for its address, with the server that gets the request', () => {
    expect(cellLink('https://pictures.example:8443/b.png', { kind: 'text' })).toEqual({
      kind: 'picture',
      host: 'pictures.example:8443',
      href: 'https://pictures.example:8443/b.png',
    });
  });

  it('is nothing for other values', () => {
    expect(cellLink('[48.8,2.3]', { kind: 'json' })).toBeUndefined();
    expect(cellLink('["https://pictures.example/b.png"]', { kind: 'json' })).toBeUndefined();
    expect(cellLink(['unread', { start: 'https://pictures.example/b.png' }], { kind: 'text' })).toBeUndefined();
    expect(cellLink(null, { kind: 'geo' })).toBeUndefined();
  });
});
