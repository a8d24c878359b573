import { visibleText } from '@tabularium/sdk';

/** The name of a publisher or driver for a table, with the one that it must not be taken for. The warning is first, so that a long name cannot cut it off. */
export function nameText(name: string, resembles: string | undefined): string {
  return resembles === undefined ? name : `NOT ${visibleText(resembles, 'name', 20)}: ${name}`;
}
