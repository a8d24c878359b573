import { describe, expect, it } from 'vitest';
import { macCommand, macProfile } from './macProfile.ts';

const options = { node: '/n/node', runner: '/r/driver-process.cjs', folder: '/d/search', files: [], network: false } as const;

describe('the profile for macOS', () => {
  it('denies everything that it does not name', () => {
    const lines = macProfile(options).split('\n');
    expect(lines.slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
    expect(lines).toContain('(allow process-exec (literal "/n/node"))');
    expect(lines).toContain('(deny network*)');
    expect(lines.join('\n')).not.toMatch(/process-fork|mach-lookup|allow file-write\*|subpath "\/"/);
  });

  it('allows the chosen files alone, each as it was asked for', () => {
    const files = [
      { path: '/a/read.db', right: 'read' },
      { path: '/a/write.db', right: 'readWrite' },
    ] as const;
    const profile = macProfile({ ...options, files, temporary: '/t/own', network: true });
    expect(profile).toContain('(allow file-read* (literal "/a/read.db"))');
    expect(profile).not.toContain('(allow file-write* (literal "/a/read.db"))');
    expect(profile).toContain('(allow file-write* (literal "/a/write.db"))');
    expect(profile).toContain('(allow file-read* file-write* (subpath "/t/own"))');
    expect(profile).not.toContain('(deny network*)');
  });

  it('is not widened by a path', () => {
    const folder = '/d/") (allow file-write* (subpath "/';
    expect(macProfile({ ...options, folder })).toContain('(subpath "/d/\\") (allow file-write* (subpath \\"/")');
    expect(() => macProfile({ ...options, folder: '/d/\n(allow default)' })).toThrow(/control character/);
  });

  it('is handed over as one argument', () => {
    expect(macCommand('(version 1)', ['/n/node', 'x'])).toEqual(['/usr/bin/sandbox-exec', '-p', '(version 1)', '/n/node', 'x']);
  });
});
