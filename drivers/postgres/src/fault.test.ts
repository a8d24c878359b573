import { expect, it } from 'vitest';
import { isFatal, postgresError } from './fault.ts';

const said = (severity: string): Error => Object.assign(new Error('terminating connection'), { severity, code: '57P01' });

it('an error of the server that ends the connection differs from one of a server behind it', () => {
  expect(isFatal(postgresError(said('FATAL')))).toBe(true);
  expect(isFatal(said('FATAL'))).toBe(true);
  expect(isFatal(postgresError(said('ERROR')))).toBe(false);
  expect(isFatal(new Error('terminating connection'))).toBe(false);
});
