import { describe, expect, it } from 'vitest';
import { parseManifest } from '@tabularium/sdk/manifest';
import { formFieldsOf } from '../../../common/formFields.ts';
import { checkSettings } from '../../../common/formValues.ts';
import { testSender } from '../broker/sealed.test-helper.ts';
import { secretReach } from '../broker/serverDestination.ts';
import { testManifest } from '../processes/processes.test-helper.ts';

const fields = [
  { id: 'host', label: 'Host', type: 'text' as const },
  { id: 'port', label: 'Port', type: 'number' as const },
  { id: 'mode', label: 'SSL', type: 'select' as const, options: [{ value: 'off', label: 'Off' }] },
  { id: 'password', label: 'Password', type: 'secret' as const },
];
const manifestWith = (via: ('ssh' | 'socks')[], more: typeof fields = []) =>
  testManifest({
    connection: { fields: [...fields, ...more] },
    permissions: {
      socket: {
        endpoint: {
          host: { field: 'host', whenEmpty: 'localhost' },
          port: { field: 'port', whenEmpty: 1 },
          scheme: { field: 'mode', plainValues: ['off'] },
        },
        via,
      },
      secrets: { fields: ['password'], reason: 'It signs in.' },
    },
  });
const SSH = { 'connect.through': 'ssh', 'ssh.host': 'bastion', 'ssh.user': 'ada', mode: 'off' };

describe('the form of a driver with other ways to its server', () => {
  it('has the fields of the ways that the manifest allows, and none else', () => {
    const ids = (via: ('ssh' | 'socks')[]): string =>
      formFieldsOf(manifestWith(via))
        .map(({ id }) => id)
        .join(' ');
    expect(ids([])).toBe('host port mode password');
    expect(ids(['socks'])).not.toContain('ssh.');
    expect(ids(['ssh'])).toContain('ssh.passphrase');
  });

  it('refuses the settings of a way that is not allowed, and an address that is none', () => {
    const problems = (via: ('ssh' | 'socks')[], settings: Record<string, string | number>): string[] =>
      checkSettings(manifestWith(via), { ...SSH, ...settings }, new Set()).map(({ field }) => field);
    expect(problems(['ssh'], {})).toEqual([]);
    expect(problems(['socks'], {})).toContain('ssh.host');
    expect(problems(['ssh'], { 'ssh.host': 'ada@bastion' })).toEqual(['ssh.host']);
    expect(problems(['ssh'], { 'ssh.port': 70_000 })).toContain('ssh.port');
    expect(problems(['ssh'], { 'ssh.signIn': 'key' })).toEqual(['ssh.key']);
  });

  it('is not taken from a manifest whose own field could pass for one of them', () => {
    const manifest = manifestWith(['ssh']);
    const own = { ...manifest, connection: { fields: [...fields, { id: 'ssh_host', label: 'Host', type: 'text' }] } };
    expect(parseManifest(own)).toMatchObject({ ok: false, problems: [expect.stringContaining('could pass for')] });
  });
});

describe('secrets with a tunnel', () => {
  const driver = testSender(manifestWith(['ssh', 'socks']));
  const reach = (field: string, settings = {}) => secretReach(driver, { ...SSH, ...settings }, field);

  it('of the database are bound to the way, and to nothing new without one', () => {
    expect(reach('password')?.through).toBe('ssh://ada@bastion:22');
    expect(reach('password', { 'ssh.user': 'eve' })?.through).toBe('ssh://eve@bastion:22');
    expect(reach('password', { 'connect.through': 'direct' })).not.toHaveProperty('through');
  });

  it('of the tunnel go to it alone, whatever the driver is', () => {
    expect(reach('ssh.password')).toMatchObject({ origins: ['ssh://ada@bastion:22'], publisher: '', grants: [] });
    expect(reach('ssh.passphrase')).toBeUndefined();
    expect(reach('ssh.passphrase', { 'ssh.signIn': 'key', 'ssh.key': '/k' })).toMatchObject({
      origins: [],
      sentAs: ['(decrypts) /k'],
    });
    expect(reach('socks.password')).toBeUndefined();
  });
});
