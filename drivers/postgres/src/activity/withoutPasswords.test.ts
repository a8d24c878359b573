import { expect, it } from 'vitest';
import { withoutPasswords } from './withoutPasswords.ts';

const SECRET = 'hun"ter\u00fc2';

it.each([
  `CREATE ROLE a PASSWORD '${SECRET}'`,
  `alter role a with encrypted password'${SECRET}' login`,
  `ALTER ROLE a PASSWORD E'\\'${SECRET}' VALID UNTIL 'x'`,
  `ALTER ROLE a PASSWORD U&'${SECRET}'`,
  `ALTER ROLE a PASSWORD 'it''s ${SECRET}'`,
  `ALTER ROLE a PASSWORD $x$${SECRET}$x$`,
  `ALTER ROLE a PASSWORD '${SECRET}`,
  `CREATE USER MAPPING FOR a SERVER s OPTIONS (user 'u', password '${SECRET}')`,
  `SELECT 'SCRAM-SHA-256$4096:${'abc+/='}$hunter:hunter'`,
])('hides the password of %s', (statement) => {
  expect(withoutPasswords(statement)).not.toContain('hun');
  expect(withoutPasswords(statement)).toContain('…');
});

it('leaves every other statement as it is', () => {
  const statement = `SELECT password, 'x' FROM people WHERE password_hash = '1'`;
  expect(withoutPasswords(statement)).toBe(statement);
});
