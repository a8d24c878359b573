import { describe, expect, it } from 'vitest';
import { STATES, isFatal, postgresError, signInError } from './fault.ts';

const said = (severity: string): Error => Object.assign(new Error('terminating connection'), { severity, code: '57P01' });

it('an error of the server that ends the connection differs from one of a server behind it', () => {
  expect(isFatal(postgresError(said('FATAL')))).toBe(true);
  expect(isFatal(said('FATAL'))).toBe(true);
  expect(isFatal(postgresError(said('ERROR')))).toBe(false);
  expect(isFatal(new Error('terminating connection'))).toBe(false);
});

describe('an error of the server names the column at fault', () => {
  const field = (code: string, more: Readonly<Record<string, string>>): string | undefined =>
    postgresError(Object.assign(new Error('said'), { severity: 'ERROR', code, ...more })).details.field;

  it.each([
    ['that must have a value', '23502', { column: 'name' }, 'name'],
    ['whose value is there already', '23505', { detail: 'Key (mail)=(a@x.de) already exists.' }, 'mail'],
    ['on a server of another language', '23505', { detail: 'Schlüssel »(mail)=(a@x.de)« existiert bereits.' }, 'mail'],
    ['the first of a key of several', '23505', { detail: 'Key (order_id, line_no)=(1, 2) already exists.' }, 'order_id'],
    ['with a name in quotes', '23505', { detail: 'Key ("we""ird, (col)")=(1) already exists.' }, 'we"ird, (col)'],
    ['that refers to no row', '23503', { detail: 'Key (customer_id)=(9) is not present in table "customers".' }, 'customer_id'],
    ['of a constraint that is named by it', '23514', { table: 'customers', constraint: 'customers_credit_check' }, 'credit'],
    ['of the second such constraint', '23514', { table: 'customers', constraint: 'customers_credit_check1' }, 'credit'],
  ])('%s', (_, code, more, column) => {
    expect(field(code, more)).toBe(column);
  });

  it.each([
    ['a key that is an expression', '23505', { detail: 'Key (lower(mail))=(a@x.de) already exists.' }],
    ['a constraint of the whole table', '23514', { table: 'orders', constraint: 'orders_check' }],
    ['a constraint with a name of its own', '23514', { table: 'orders', constraint: 'positive' }],
    ['a detail that the server withholds', '23505', {}],
  ])('but not of %s', (_, code, more) => {
    expect(field(code, more)).toBeUndefined();
  });
});

describe('the advice for a statement that the server does not take', () => {
  const fault = (code: string, message: string, more: Readonly<Record<string, string>> = {}) =>
    postgresError(Object.assign(new Error(message), { severity: 'ERROR', code, ...more })).details;

  it.each([':', '{', '$'])('says how parameters are written, where another program’s way begins with %s', (sign) => {
    const words = [`syntax error at or near "${sign}"`, `Syntaxfehler bei »${sign}«`, `błąd składni w lub blisko "${sign}"`];
    for (const message of words)
      expect(fault('42601', message)).toMatchObject({
        advice: 'Write parameters as $1, $2 and so on.',
        texts: { advice: { id: 'sql.parameters.advice' } },
      });
  });

  it('is to correct it otherwise, and never to fix a value', () => {
    for (const [code, message] of [
      ['42601', 'syntax error at or near "FORM"'],
      ['42702', 'column reference "id" is ambiguous'],
    ] as const)
      expect(fault(code, message)).toMatchObject({
        advice: 'Correct the SQL at the place that the message names.',
        texts: { advice: { id: 'sql.correct.advice' } },
      });
  });

  it('is the hint of the server where it has one, and none of these for a right that lacks', () => {
    expect(fault('42883', 'operator does not exist', { hint: 'Cast it.' })).toMatchObject({ advice: 'Cast it.' });
    expect(fault('42501', 'permission denied')).not.toHaveProperty('advice');
  });

  it('takes nothing for unreachable that is locked', () => {
    expect(postgresError(Object.assign(new Error('no lock'), { severity: 'ERROR', code: '55P03' })).code).toBe('CONFLICT');
  });
});

describe('a state that a function can raise', () => {
  const raised = (code: string, severity = 'ERROR') => Object.assign(new Error('x'), { severity, code });
  const OF_CONNECTIONS = ['08006', '28000', '28P01', '53300', '57P01', '57P02', '57P03'];

  it.each(OF_CONNECTIONS)('is an error of the statement, and says nothing about the connection: %s', (code) => {
    const { code: kind, message, details } = postgresError(raised(code));
    expect({ kind, message, advice: details.advice }).toEqual({
      kind: 'SERVER_ERROR',
      message: 'PostgreSQL says: x.',
      advice: undefined,
    });
    expect(details.status).toBe(code);
  });

  it.each(OF_CONNECTIONS)('is one of the connection where the server refuses or ends it: %s', (code) => {
    expect(postgresError(raised(code, 'FATAL')).code).not.toBe('SERVER_ERROR');
    expect(signInError(raised(code)).code).toBe(postgresError(raised(code, 'FATAL')).code);
  });

  it('leads to the form of the connection in no case', () => {
    for (const code of Object.keys(STATES))
      expect(postgresError(raised(code)).details.advice ?? '', code).not.toMatch(/in the connection|pg_hba/);
    expect(postgresError(raised('3D000')).code).toBe('NOT_FOUND');
    expect(signInError(raised('3D000')).details.advice).toBe('Correct the database name in the connection.');
  });
});
