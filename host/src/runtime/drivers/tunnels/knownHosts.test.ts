import { describe, expect, it } from 'vitest';
import { hostKeyFingerprint, knownHostsIn } from './knownHosts.ts';

const KEY = 'AAAAC3NzaC1lZDI1NTE5AAAAIJ2SN0Np0cVuHjP/8KxUUrpcdOq6gGzQ2Qw4IT0Jv5Zb';
const found = (text: string, host = 'db.example', port = 22) => knownHostsIn(text, 'known_hosts', host, port);

describe('the lines of a known_hosts file', () => {
  it.each([
    ['a name', 'db.example', true],
    ['a name in other letters', 'DB.Example', true],
    ['one of several names', 'other,db.example,third', true],
    ['a pattern', '*.example', true],
    ['a pattern of one sign', 'db.exampl?', true],
    ['another name', 'db.example.org', false],
    ['a negation beside a pattern', '*.example,!db.example', false],
    ['a name with another port', '[db.example]:2222', false],
  ])('count for %s', (_what, names, counts) => {
    expect(found(`${names} ssh-ed25519 ${KEY}\n`)).toHaveLength(counts ? 1 : 0);
  });

  it('count for the port that they name', () => {
    expect(found(`[db.example]:2222 ssh-ed25519 ${KEY}`, 'db.example', 2222)).toHaveLength(1);
    expect(found(`db.example ssh-ed25519 ${KEY}`, 'db.example', 2222)).toHaveLength(0);
  });

  it('have markers, and count for nothing with one that is not known', () => {
    const lines = ['@revoked * ', '@cert-authority *.example ', '@new db.example ', '# db.example '];
    const text = lines.map((line) => `${line}ssh-ed25519 ${KEY}`).join('\n');
    expect(found(text).map(({ marker, where }) => `${marker} ${where}`)).toEqual([
      'revoked known_hosts:1',
      'authority known_hosts:2',
    ]);
  });

  it('of many stars are compared in time', () => {
    const began = performance.now();
    expect(found(`${'*a'.repeat(2_000)} ssh-ed25519 ${KEY}`, 'a'.repeat(200))).toHaveLength(0);
    expect(performance.now() - began).toBeLessThan(500);
  });

  it('give the fingerprint as OpenSSH does', () => {
    expect(hostKeyFingerprint({ type: 'ssh-ed25519', key: KEY })).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
  });
});
