import type { StoredOtherwise } from '../../common/objects.ts';
import { strings } from '../i18n/index.ts';

/** The parts of an object that the database stored otherwise than they were sent, for a sentence. */
export function storedParts(otherwise: readonly StoredOtherwise[]): string {
  const words = strings.objects;
  return otherwise
    .map(({ member, sent, stored }) =>
      stored === undefined ? words.partLeftOut(member, sent) : words.partStored(member, sent, stored),
    )
    .join(', ');
}
