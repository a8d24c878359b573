import { expect, it } from 'vitest';
import { statementLabel } from './statementLabel.ts';

it.each([
  ['', ''],
  ['SELECT 1\nFROM books', 'SELECT 1'],
  ['\\connect sales', '\\connect sales'],
  ['\\connect sales\nSELECT 1\nFROM books', '\\connect sales SELECT 1'],
])('labels %j', (statement, label) => expect(statementLabel(statement)).toBe(label));
