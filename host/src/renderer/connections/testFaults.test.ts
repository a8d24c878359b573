import { describe, expect, it } from 'vitest';
import type { TestStep } from '../../common/connection.ts';
import { plainManifest } from '../../common/plainManifest.test-helper.ts';
import { testFaults } from './testFaults.ts';

const manifest = plainManifest({
  connection: {
    fields: [
      { id: 'host', label: 'Host', type: 'text' },
      { id: 'port', label: 'Port', type: 'number' },
      { id: 'tls', label: 'TLS', type: 'toggle' },
      { id: 'key', label: 'Key', type: 'secret' },
    ],
  },
  permissions: {
    http: {
      origin: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 1 },
        scheme: { field: 'tls', plainValues: ['false'] },
      },
    },
  },
});
const failed = (id: string, failure?: Partial<NonNullable<TestStep['failure']>>): TestStep => ({
  ...{ id, label: id, outcome: 'failed', message: '' },
  ...(failure === undefined ? {} : { failure: { code: 'INVALID_INPUT', message: '', advice: '', ...failure } }),
});

describe('the field that a failed test marks', () => {
  it.each([
    ['the one that the error names', failed('server', { field: 'key' }), ['key']],
    ['the port of what answers as something else', failed('server', { code: 'BAD_ANSWER' }), ['port']],
    ['the key that is refused', failed('server', { code: 'ACCESS_REFUSED' }), ['key']],
    ['the host of a name that is not found', failed('name'), ['host']],
    ['none where the error names what is no field of the form', failed('server', { field: 'constructor' }), []],
  ])('is %s', (_what, step, fields) => {
    expect(Object.keys(testFaults(manifest, [step]))).toEqual(fields);
  });
});
