import { visibleText } from '@tabularium/sdk';

/** A publisher's name for a table, with whom it must not be taken for. The warning is first, so that a long name cannot cut it off. */
export function publisherText(name: string, resembles: string | undefined): string {
  return resembles === undefined ? name : `NOT ${visibleText(resembles, 'name', 20)}: ${name}`;
}
