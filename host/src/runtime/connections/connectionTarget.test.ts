import { describe, expect, it } from 'vitest';
import { connectionTarget } from './connectionTarget.ts';

const settings = { host: 'a.example', port: 5432, database: 'shop', timeoutSeconds: 30, systemSchemas: false };
const target = connectionTarget({ driver: 'postgres', settings });

describe('the target of a connection', () => {
  it.each([
    ['a longer time-out', { timeoutSeconds: 120 }],
    ['a switch', { systemSchemas: true }],
  ])('stays the same with %s', (_name, change) => {
    expect(connectionTarget({ driver: 'postgres', settings: { ...settings, ...change } })).toBe(target);
  });

  it.each([
    ['host', { host: 'b.example' }],
    ['port', { port: 5433 }],
    ['database', { database: 'other' }],
    ['number of a database', { database: 3 }],
  ])('is another with another %s', (_name, change) => {
    expect(connectionTarget({ driver: 'postgres', settings: { ...settings, ...change } })).not.toBe(target);
  });
});
