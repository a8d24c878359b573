import { expect, it } from 'vitest';
import { Database } from '../../storage/database.ts';
import { MIGRATIONS } from '../../storage/migrations.ts';
import { DriverChoices } from './driverChoices.ts';

it('a driver whose choice cannot be read is disabled', () => {
  using database = new Database(':memory:', MIGRATIONS);
  const choices = new DriverChoices(database.connection);
  expect(choices.isDisabled('unknown')).toBe(false);
  choices.setDisabled('search', false);
  expect(choices.isDisabled('search')).toBe(false);
  database.connection.exec('UPDATE driver_choices SET disabled = 7');
  expect(choices.isDisabled('search')).toBe(true);
});
