import { describe, expect, it } from 'vitest';
import type { SavedConnection } from '../../common/connection.ts';
import { addressOf } from '../../common/address.ts';
import { NAME_FIELD, draftFor, fieldLines, isFieldVisible, paneOf, panesOf, toConnectionInput, validate } from './formModel.ts';
import type { FormDraft } from './formModel.ts';
import { withStep } from './testSteps.ts';
import { plainManifest } from '../../common/plainManifest.test-helper.ts';

const manifest = plainManifest({
  id: 'example',
  title: 'Example',
  connection: {
    fields: [
      { id: 'host', label: 'Host', type: 'text', maxLength: 20 },
      { id: 'port', label: 'Port', type: 'number', default: 1234, min: 1, max: 65_535 },
      { id: 'key', label: 'Key', type: 'secret', required: true },
      {
        id: 'mode',
        label: 'Mode',
        type: 'select',
        pane: 'ssl',
        default: 'off',
        options: [
          { value: 'off', label: 'Off' },
          { value: 'on', label: 'On' },
        ],
      },
      {
        id: 'authority',
        label: 'Authority',
        type: 'file',
        readBy: 'host',
        pane: 'ssl',
        required: true,
        visibleWhen: { field: 'mode', values: ['on'] },
      },
      {
        id: 'pin',
        label: 'Pin',
        type: 'text',
        pane: 'ssl',
        required: true,
        visibleWhen: { field: 'authority', values: ['x.pem'] },
      },
      { id: 'trust', label: 'Trust', type: 'toggle', pane: 'options' },
    ],
  },
  permissions: {
    http: {
      origin: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 1234 },
        scheme: { field: 'mode', plainValues: ['off'] },
      },
    },
  },
  reading: { maxSorts: 3 },
});

const saved: SavedConnection = {
  id: '00000000-0000-4000-8000-000000000000',
  name: 'Mine',
  driver: 'example',
  settings: { host: 'db', port: 99, mode: 'on', authority: '/ca.pem' },
  secrets: { key: { kind: 'store' } },
  access: { externalClients: 'blocked', aiPolicy: 'never' },
  color: 'red',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

const empty = draftFor(manifest, undefined, true);
const filled: FormDraft = {
  ...empty,
  name: ' Mine ',
  secrets: { key: { mode: 'set', place: 'store', value: 'k', variable: '' } },
};
const withSettings = (settings: FormDraft['settings']): FormDraft => ({
  ...filled,
  settings: { ...filled.settings, ...settings },
});

describe('draftFor', () => {
  it('starts with the defaults of the manifest, and careful access', () => {
    expect(empty.settings).toEqual({ host: '', port: '1234', mode: 'off', authority: '', pin: '', trust: false });
    expect(empty.access).toEqual({ externalClients: 'readOnly', aiPolicy: 'askEachTime' });
  });

  it('keeps a secret for the session only where there is no secure store', () => {
    expect(draftFor(manifest, undefined, false).secrets['key']).toMatchObject({ mode: 'set', place: 'session' });
    expect(empty.secrets['key']).toMatchObject({ mode: 'set', place: 'store' });
  });

  it('leaves a switch that was never saved at its default', () => {
    const fields = manifest.connection.fields.map((field) => (field.type === 'toggle' ? { ...field, default: true } : field));
    const on = { ...manifest, connection: { ...manifest.connection, fields } };
    const { trust: _trust, ...settings } = saved.settings;
    expect(draftFor(on, { ...saved, settings }, true).settings['trust']).toBe(true);
    expect(draftFor(on, { ...saved, settings: { ...settings, trust: false } }, true).settings['trust']).toBe(false);
  });

  it('shows what is saved, and leaves saved secrets alone', () => {
    const draft = draftFor(manifest, saved, true);
    expect(draft.settings).toMatchObject({ host: 'db', port: '99', mode: 'on', authority: '/ca.pem', trust: false });
    expect(draft.secrets['key']).toEqual({ mode: 'keep' });
    expect(toConnectionInput(manifest, draft)).toEqual({
      name: 'Mine',
      driver: 'example',
      settings: { host: 'db', port: 99, mode: 'on', authority: '/ca.pem', trust: false },
      secrets: {},
      access: saved.access,
      color: 'red',
    });
  });
});

describe('panes', () => {
  it('are those with fields, General and Advanced', () => {
    expect(panesOf(manifest)).toEqual(['general', 'ssl', 'options', 'advanced']);
    const { fields } = manifest.connection;
    expect(panesOf({ ...manifest, connection: { fields: fields.slice(0, 2) } })).toEqual(['general', 'advanced']);
    expect(paneOf(manifest, 'mode')).toBe('ssl');
    expect(paneOf(manifest, NAME_FIELD)).toBe('general');
  });

  it('put a number beside the text before it', () => {
    expect(fieldLines(manifest.connection.fields).map((line) => line.map(({ id }) => id))).toEqual([
      ['host', 'port'],
      ['key'],
      ['mode'],
      ['authority'],
      ['pin'],
      ['trust'],
    ]);
  });

  it('show a field only while what it depends on is shown and says so', () => {
    const field = (id: string) => manifest.connection.fields.find((candidate) => candidate.id === id)!;
    expect(isFieldVisible(field('authority'), manifest, filled)).toBe(false);
    expect(isFieldVisible(field('authority'), manifest, withSettings({ mode: 'on' }))).toBe(true);
    expect(isFieldVisible(field('pin'), manifest, withSettings({ authority: 'x.pem' }))).toBe(false);
    expect(isFieldVisible(field('pin'), manifest, withSettings({ mode: 'on', authority: 'x.pem' }))).toBe(true);
  });
});

describe('validate', () => {
  it('asks for a name and for what is required', () => {
    expect(Object.keys(validate(manifest, empty))).toEqual([NAME_FIELD, 'key']);
    expect(validate(manifest, filled)).toEqual({});
    expect(validate(manifest, { ...filled, name: 'x'.repeat(121) })[NAME_FIELD]).toContain('120');
  });

  it.each(['abc', '1.5', '0', '70000', '1e400'])('refuses %s as a port', (port) => {
    expect(validate(manifest, withSettings({ port }))['port']).toBeTypeOf('string');
  });

  it('lets an optional field be empty, and limits its length', () => {
    expect(validate(manifest, withSettings({ port: '', host: '' }))).toEqual({});
    expect(validate(manifest, withSettings({ host: 'x'.repeat(21) }))['host']).toContain('20');
  });

  it('judges only what is shown', () => {
    expect(validate(manifest, withSettings({ mode: 'on' }))).toHaveProperty('authority');
    expect(validate(manifest, withSettings({ mode: 'off' }))).toEqual({});
  });

  it('requires the name of a variable if the secret is in the environment', () => {
    const of = (variable: string) =>
      validate(manifest, { ...filled, secrets: { key: { mode: 'set', place: 'environment', value: 'k', variable } } })['key'];
    expect(of('')).toBeTypeOf('string');
    expect(of('1KEY')).toBeTypeOf('string');
    expect(of('MY_KEY')).toBeUndefined();
  });

  it('does not let a required secret be forgotten', () => {
    expect(validate(manifest, { ...filled, secrets: { key: { mode: 'remove' } } })).toHaveProperty('key');
  });
});

describe('toInput', () => {
  it('sends numbers as numbers, trims text, and leaves out what is empty', () => {
    expect(toConnectionInput(manifest, withSettings({ host: ' db ', port: '99' }))).toMatchObject({
      name: 'Mine',
      settings: { host: 'db', port: 99, mode: 'off', trust: false },
      secrets: { key: { kind: 'store', value: 'k' } },
    });
    expect(toConnectionInput(manifest, withSettings({ host: '  ' })).settings).not.toHaveProperty('host');
  });

  it('keeps what was entered for a field that is hidden now', () => {
    expect(toConnectionInput(manifest, withSettings({ authority: '/ca.pem' })).settings).toMatchObject({ authority: '/ca.pem' });
  });

  it('sends the name of the variable and never the value beside it', () => {
    const draft: FormDraft = {
      ...filled,
      secrets: { key: { mode: 'set', place: 'environment', value: 'k', variable: 'MY_KEY' } },
    };
    expect(toConnectionInput(manifest, draft).secrets).toEqual({ key: { kind: 'environment', variable: 'MY_KEY' } });
  });
});

describe('addressOf', () => {
  it('says where a connection leads', () => {
    expect(addressOf(manifest, saved.settings)).toBe('db:99');
    expect(addressOf(manifest, {})).toBe('localhost:1234');
  });
});

describe('withStep', () => {
  it('puts the end of a step in the place of its beginning', () => {
    const running = { id: 'tcp', label: 'TCP', outcome: 'running', message: '' } as const;
    const ended = { ...running, outcome: 'ok', message: 'Open.' } as const;
    const tls = { id: 'tls', label: 'TLS', outcome: 'running', message: '' } as const;
    expect(withStep(withStep(withStep([], running), tls), ended)).toEqual([ended, tls]);
  });
});
