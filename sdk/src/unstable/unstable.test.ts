import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as unstable from './index.ts';

const sdk = new URL('../../', import.meta.url);
const report = (name: string): string => readFileSync(new URL(`${name}.api.md`, sdk), 'utf8');

describe('@tabularium/sdk/unstable', () => {
  it('is what its report says, and says of every export that it may change', () => {
    const exports = [
      ...report('unstable').matchAll(/^\/\/ (@\w+)[^\n]*\nexport (?:type|interface|function|const|class) (\w+)/gm),
    ];
    expect(exports.length).toBeGreaterThan(0);
    expect(new Set(exports.map(([, tag]) => tag))).toEqual(new Set(['@alpha']));
    expect(exports.map(([, , name]) => name)).toEqual(expect.arrayContaining(Object.keys(unstable)));
  });

  it('is the only place of such exports', () => {
    const others = readdirSync(sdk).filter((name) => name.endsWith('.api.md') && name !== 'unstable.api.md');
    expect(others.length).toBeGreaterThan(4);
    for (const name of others)
      expect(readFileSync(new URL(name, sdk), 'utf8')).not.toMatch(/^\s*\/\/ @(?:alpha|beta|experimental)/m);
  });

  it('is absent from the protocol between host and driver', () => {
    const sources = readdirSync(new URL('src/', sdk), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.startsWith('unstable') && !name.startsWith('testing') && !name.includes('.test'),
    );
    expect(sources.length).toBeGreaterThan(30);
    for (const name of sources) expect(readFileSync(new URL(`src/${name}`, sdk), 'utf8')).not.toMatch(/from '[^']*unstable/);
  });
});
