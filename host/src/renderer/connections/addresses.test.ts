import { describe, expect, it } from 'vitest';
import { addressOf } from '../../common/address.ts';
import { checkSettings } from '../../common/formValues.ts';
import { destinationLine } from '../../cli/output/destinationLine.ts';
import { serverPermissionOf } from '../../common/serverPermission.ts';
import { serverDestination } from '../../runtime/drivers/broker/serverDestination.ts';
import { draftFor, validate } from './formModel.ts';
import { plainManifest } from '../../common/plainManifest.test-helper.ts';

// Addresses through every door: the form in the window, saving and importing (which share a check), and connecting.

const text = (id: string, label: string) => ({ id, label, type: 'text' as const });
const manifest = plainManifest({
  sdk: '^1.1',
  connection: {
    fields: [
      text('host', 'Host'),
      { id: 'port', label: 'Port', type: 'number' },
      text('nodes', 'Further Nodes'),
      text('prefix', 'Path Prefix'),
      { id: 'tls', label: 'TLS', type: 'toggle' },
    ],
  },
  permissions: {
    http: {
      origin: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 8108 },
        scheme: { field: 'tls', plainValues: ['false'] },
        nodes: { field: 'nodes' },
        pathPrefix: { field: 'prefix' },
      },
    },
  },
  reading: { maxSorts: 0 },
});
const server = serverPermissionOf(manifest);
if (server === undefined) throw new Error('The manifest has no server.');

function faults(settings: Record<string, string>): readonly (Readonly<Record<string, string>> | string)[] {
  const saving = checkSettings(manifest, settings, new Set());
  const draft = { ...draftFor(manifest, undefined, true), name: 'x' };
  const form = validate(manifest, { ...draft, settings: { ...draft.settings, ...settings } });
  let connecting = '';
  try {
    if (server !== undefined) serverDestination(server, manifest, settings);
  } catch (error) {
    connecting = String(error);
  }
  const shown = `${addressOf(manifest, settings) ?? ''}${destinationLine(manifest, settings)}`;
  return [Object.fromEntries(saving.map(({ field, sentence }) => [field, sentence.id])), form, connecting, shown];
}

const SECRET = 'hunter2';

describe('an address that cannot be one', () => {
  it.each([
    ['host', `user:${SECRET}@db.example`, 'addressUser'],
    ['host', `${SECRET}@db.example`, 'addressUser'],
    ['host', `https://user:${SECRET}@db.example/`, 'addressUser'],
    ['host', 'https://db.example', 'addressScheme'],
    ['host', 'ftp://db.example', 'addressScheme'],
    ['host', 'bad host/ x', 'addressPath'],
    ['host', 'db.example/search', 'addressPath'],
    ['host', 'db.example?x=1', 'addressPath'],
    ['host', 'db.example#x', 'addressPath'],
    ['host', '\\\\server\\share', 'addressPath'],
    ['host', 'db.example:8108', 'addressPort'],
    ['host', 'bad host', 'addressName'],
    ['host', '-rf', 'addressName'],
    ['host', 'db.example\r\nX-Key: 1', 'addressPort'],
    ['host', 'db\u202Eexample', 'addressName'],
    ['host', 'münchen.example', 'addressName'],
    ['host', '[::1', 'addressName'],
    ['host', 'x'.repeat(254), 'addressName'],
    ['host', '$(id)', 'addressName'],
    ['host', '256.1.1.1', 'addressName'],
    ['host', '1.2.3.4.5', 'addressName'],
    ['host', '99999999999', 'addressName'],
    ['host', '0.0.0.08', 'addressName'],
    ['host', 'db..example', 'addressName'],
    ['host', '.', 'addressName'],
    ['host', `${'x'.repeat(64)}.example`, 'addressName'],
    ['host', 'fe80::1%eth0', 'addressZone'],
    ['host', '[fe80::1%25eth0]', 'addressZone'],
    ['host', `::1%${SECRET}`, 'addressZone'],
    ['nodes', 'a:1, fe80::1%eth0', 'nodeZone'],
    ['nodes', '[fe80::1%eth0]:8108', 'nodeZone'],
    ['nodes', '10.0.0.256:8108', 'nodeName'],
    ['nodes', 'a..b', 'nodeName'],
    ['nodes', `a:1, user:${SECRET}@b:2`, 'nodeUser'],
    ['nodes', `${SECRET}@b`, 'nodeUser'],
    ['nodes', 'a:1, https://b:2', 'nodeScheme'],
    ['nodes', 'a:1 b/c', 'nodePath'],
    ['nodes', 'a:99999', 'nodePort'],
    ['nodes', 'a:0', 'nodePort'],
    ['nodes', 'a:', 'nodePort'],
    ['nodes', 'a:8108x', 'nodePort'],
    ['nodes', 'a;b', 'nodeName'],
    ['nodes', '-a', 'nodeName'],
    ['nodes', '[::1]x', 'nodeName'],
    ['nodes', Array.from({ length: 16 }, (_, index) => `n${index}`).join(), 'nodesTooMany'],
    ['prefix', '/a/../b', 'pathPrefixInvalid'],
    ['prefix', '/a b', 'pathPrefixInvalid'],
    ['prefix', '/%2e%2e', 'pathPrefixInvalid'],
    ['prefix', `https://user:${SECRET}@db/x`, 'pathPrefixInvalid'],
    ['prefix', '/a?x', 'pathPrefixInvalid'],
    ['prefix', '/a//b', 'pathPrefixInvalid'],
  ])('in "%s" as %j is refused by the form, by saving and by connecting, which do not repeat it', (field, value, id) => {
    const [saving, form, connecting, shown] = faults({ [field]: value });
    expect(saving).toEqual({ [field]: id });
    expect(Object.keys(form ?? {})).toEqual([field]);
    expect(connecting).toContain('DriverError');
    expect(shown).toBe('');
    expect(JSON.stringify([form, connecting])).not.toContain(SECRET);
  });

  it('is named by its position among the nodes', () => {
    const [, form] = faults({ nodes: `a b:1\n${SECRET}@c d` });
    expect(form).toEqual({ nodes: 'Further Nodes: node 3 must be host or host:port, without a user name or password.' });
  });
});

describe('an odd address', () => {
  it.each([
    ['host', 'localhost'],
    ['host', 'a_b.example'],
    ['host', 'DB.Example.'],
    ['host', 'xn--mnchen-3ya.example'],
    ['host', '::1'],
    ['host', '[::1]'],
    ['host', '::ffff:127.0.0.1'],
    ['host', 'fe80::1'],
    ['host', '127.0.0.1'],
    ['host', '127.0.0.1.'],
    ['host', `${'x'.repeat(63)}.example`],
    ['host', ' db.example '],
    ['host', ''],
    ['host', '1'],
    ['nodes', 'a,b'],
    ['nodes', '  a:1 ,,\n b:2\t'],
    ['nodes', '[::1]:8108, ::1, [fe80::1]'],
    ['nodes', 'a:65535'],
    ['nodes', ''],
    ['prefix', 'search/'],
    ['prefix', '//a/b//'],
    ['prefix', '/a.b/~c-d_e'],
    ['prefix', '/'],
  ])('in "%s" as %j is taken by all of them', (field, value) => {
    const [saving, form, connecting] = faults({ [field]: value });
    expect([saving, form, connecting]).toEqual([{}, {}, '']);
  });
});
