import { use, useEffect } from 'react';
import { TabPlaceContext } from '../state/TabPlaceContext.ts';
import { noteTypedText } from '../state/typedTexts.ts';
import { useUnsaved } from '../state/useUnsaved.ts';

/** While an editor has a text that is nowhere else, the person is asked before its tab is closed, and before the page is left. */
export function useTypedText(hasText: boolean): void {
  const place = use(TabPlaceContext);
  useUnsaved(hasText ? { is: 'typed', ...(place === undefined ? {} : { tab: place.name }) } : undefined);
  useEffect(() => (hasText && place !== undefined ? noteTypedText(place) : undefined), [hasText, place]);
}
