import type { Sort } from '@tabularium/sdk';
import { UsageError } from '../usageError.ts';

/** `price` or `price:desc`; a name with a colon of its own is taken whole unless it ends with `:asc` or `:desc`. */
export function addSort(text: string, before: readonly Sort[] = []): readonly Sort[] {
  const match = /^(.*):(asc|desc)$/is.exec(text);
  const column = match?.[1] ?? text;
  if (column === '') throw new UsageError('--sort takes the name of a column, and ":desc" behind it for descending.');
  return [...before, { column, direction: match?.[2]?.toLowerCase() === 'desc' ? 'descending' : 'ascending' }];
}
