import { visibleText } from '@tabularium/sdk';

/** The name of an object within a sentence: servers take names of any length and with any characters. */
export function shortName(name: string): string {
  return visibleText(name, 'name', 100);
}
