import { highlightSpecialChars } from '@codemirror/view';
import type { Extension } from '@codemirror/state';
import { visibleText } from '@tabularium/sdk';

/** Beside those that the editor marks already. Tabs and line ends are its own. */
const HIDDEN = /\p{Cf}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|\p{Noncharacter_Code_Point}|\u2800/u;

/** Shows hidden characters of an editor's text as the same marks as everywhere. The text itself stays as it is. */
export function markHiddenInEditor(): Extension {
  return highlightSpecialChars({
    addSpecialChars: HIDDEN,
    render: (code) => {
      const mark = document.createElement('span');
      mark.className = 'cm-specialChar';
      mark.textContent = visibleText(String.fromCodePoint(code), 'name');
      mark.setAttribute('aria-label', mark.textContent);
      return mark;
    },
  });
}
