import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { windowPage } from './windowPage.ts';

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
