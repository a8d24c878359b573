import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { transportPage } from './pages.ts';
import { pageLanguage, windowPage } from './windowPage.ts';

const built = readFileSync(join(import.meta.dirname, '../renderer/index.html'), 'utf8');
const ORIGIN = 'http://127.0.0.1:1';
const api = (data: unknown) => async () => Response.json({ result: { data } });
const rootOf = (page: string): string | undefined => /<html[^>]*>/.exec(page)?.[0];

describe("the window's page", () => {
  it('has what the person chose before any script runs, and its nonce', async () => {
    const page = await windowPage(built, 'abc', api({ theme: 'dark', density: 'compact', language: 'en' }), ORIGIN);
    expect(rootOf(page)).toBe(
      '<html lang="en" data-theme="dark" data-density="compact" data-language="en" data-mantine-color-scheme="dark">',
    );
    expect(page).toContain('content="abc"');
    expect(page.match(/<script(?![^>]*src=)/)).toBeNull();
  });

  it("uses the computer's colors if that was chosen, or without a choice", async () => {
    const expected = '<html lang="en" data-theme="system" data-density="comfortable" data-language="system">';
    expect(rootOf(await windowPage(built, 'abc', api({}), ORIGIN))).toBe(expected);
    expect(rootOf(await windowPage(built, 'abc', async () => new Response(null, { status: 500 }), ORIGIN))).toBe(expected);
    expect(rootOf(await windowPage(built, 'abc', api({ theme: '"><script>' }), ORIGIN))).toBe(expected);
  });
});

describe('a page without the window', () => {
  it('has the language that the person chose', async () => {
    expect(await pageLanguage('en', api({ language: 'de' }), ORIGIN)).toBe('de');
    expect(await pageLanguage('de', api({ language: 'en' }), ORIGIN)).toBe('en');
  });

  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['en;q=0.8,de', 'de'],
    ['fr,en;q=0.5,de;q=0.4', 'en'],
    ['de;q=0,en;q=0.1', 'en'],
    ['*', 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ])('has the language that the browser prefers without a choice: %s', async (header, language) => {
    expect(await pageLanguage(header, api({}), ORIGIN)).toBe(language);
  });

  it.each(['noAddress', 'usedAddress', 'notSignedIn', 'tooManyWindows'] as const)('is German as a whole: %s', (name) => {
    const page = transportPage(name, 'de', 'nonce');
    expect(page).toContain('<html lang="de">');
    expect(page.replace(/<style.*<\/style>/su, '').replaceAll(/<code>.*?<\/code>|<[^>]*>/gu, ' ')).not.toMatch(
      /\b(?:the|of|and|is|are|this|window|session|open)\b/iu,
    );
  });
});
