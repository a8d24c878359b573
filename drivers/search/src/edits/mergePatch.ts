import { DriverError } from '@tabularium/sdk';
import type { ExactValue } from './exactValue.ts';
import { emptyObject, isExactObject, sameValue } from './exactValue.ts';

/**
 * The patch that makes one object of another. The server merges objects (RFC 7396): a member that is left out stays, and null removes it,
 * so that an object cannot be replaced by sending the new one.
 *
 * @throws DriverError `UNSUPPORTED` for a new member that is null, which the patch cannot say
 */
export function mergePatch(from: ExactValue, to: Readonly<Record<string, ExactValue>>, column: string): ExactValue {
  const patch = emptyObject();
  const old = isExactObject(from) ? from : {};
  for (const name of Object.keys(old)) if (!Object.hasOwn(to, name)) patch[name] = null;
  for (const name of Object.keys(to)) {
    const [before, after] = [Object.hasOwn(old, name) ? old[name] : undefined, to[name]];
    if (before !== undefined && sameValue(before, after)) continue;
    if (after === null) {
      throw new DriverError(
        'UNSUPPORTED',
        `The server takes null in an object for “remove it”, so “${column}” cannot be given a null.`,
        {
          details: {
            field: column,
            advice: 'Leave the member out.',
            texts: {
              message: { id: 'edit.nullMember', values: { column: column.slice(0, 400) } },
              advice: { id: 'edit.nullMember.advice' },
            },
          },
        },
      );
    }
    patch[name] = isExactObject(after) ? mergePatch(before, after, column) : after;
  }
  return patch;
}
