import { DriverError } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { withFaultPlace } from './faultPlace.ts';

const given = '-- films\nSELECT naem\nFROM films;';
const text = 'SELECT naem\nFROM films';
const statement = { text, given, start: 9, end: 9 + text.length };
const failed = (offset?: number): DriverError =>
  new DriverError('STRUCTURE_CHANGED', "The column doesn't exist.", { details: offset === undefined ? {} : { offset } });

it('says where in the text of the client the fault is', () => {
  const placed = withFaultPlace(failed(7), statement) as DriverError;
  expect(placed.message).toBe("The column doesn't exist. At line 2, column 8.");
  expect(placed.code).toBe('STRUCTURE_CHANGED');
});

it('says nothing of a place that is not known, or not in the statement', () => {
  for (const error of [failed(), failed(text.length + 1), failed(-1), failed(0.5), new Error('other')])
    expect(withFaultPlace(error, statement)).toBe(error);
});
