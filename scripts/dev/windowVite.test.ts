import { expect, it } from 'vitest';
import { exportsComponents } from './windowVite.ts';

it.each([
  ['one component', 'export function Toolbar(): ReactNode {}', true],
  ['a component and its type', 'export interface Props {}\nexport const Toolbar = () => null;', true],
  ['a hook', 'export function Toolbar() {}\nexport function useToolbar() {}', false],
  ['a table', 'export const TOOLS = [];', false],
  ['a re-export', "export function Toolbar() {}\nexport { a } from './a.ts';", false],
  ['nothing', 'const a = 1;', false],
])('a module that exports %s', (_name, source, expected) => {
  expect(exportsComponents(source)).toBe(expected);
});
