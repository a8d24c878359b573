import type { PrincipalField } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { changedFields, faultsOf, initialEntries, toPrincipalInput } from './principalInput.ts';

const fields: readonly PrincipalField[] = [
  { id: 'name', label: 'Name', required: true, type: 'text' },
  { id: 'actions', label: 'Actions', required: true, type: 'list', default: ['read'] },
  { id: 'until', label: 'Until', required: false, type: 'time' },
  { id: 'value', label: 'Value', required: false, type: 'secret' },
];

describe('the form of a principal', () => {
  it('opens with what the driver suggests', () => {
    expect(initialEntries(fields)).toEqual({ name: '', actions: ['read'], until: '', value: '' });
  });

  it('gives a time in the zone of the computer and sends it back as the same moment', () => {
    const iso = '2030-05-06T07:08:00.000Z';
    const entries = initialEntries([{ ...(fields[2] as PrincipalField), default: [iso] }]);
    expect(toPrincipalInput(fields, entries)['until']).toEqual([iso]);
  });

  it('reports missing fields and invalid times', () => {
    expect(faultsOf(fields, { name: '  ', actions: [], until: 'soon', value: '' })).toEqual({
      name: 'required',
      actions: 'required',
      until: 'time',
    });
    expect(faultsOf(fields, { name: 'x', actions: ['read'], until: '', value: '' })).toEqual({});
  });

  it('passes on only what a person changed, also what they emptied', () => {
    const role: readonly PrincipalField[] = [
      { id: 'name', label: 'Name', required: true, type: 'text', default: ['a'] },
      { id: 'login', label: 'Login', required: false, type: 'flag', default: ['true'] },
      { id: 'groups', label: 'Groups', required: false, type: 'list', default: ['x'] },
      // Its seconds are not shown, and would be lost.
      { id: 'until', label: 'Until', required: false, type: 'time', default: ['2030-05-06T07:08:09.000Z'] },
    ];
    const entries = initialEntries(role);
    expect(changedFields(role, entries)).toEqual([]);
    const changed = { ...entries, login: '', groups: [] };
    expect(toPrincipalInput(changedFields(role, changed), changed)).toEqual({ login: [], groups: [] });
  });

  it('sends lists of values, none for what is empty, and a secret to the letter', () => {
    expect(toPrincipalInput(fields, { name: ' x ', actions: ['a', 'b'], until: '', value: ' s ' })).toEqual({
      name: ['x'],
      actions: ['a', 'b'],
      until: [],
      value: [' s '],
    });
  });
});
