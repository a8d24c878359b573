import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Takes typed letters before the browser puts them into the page. Chromium would give them the style of the text that they replace, in a style attribute,
 * which the page's policy refuses with a message in the browser's console, each time.
 */
export function plainTyping(): Extension {
  return EditorView.domEventHandlers({
    beforeinput(event, view) {
      const { data, inputType, isComposing } = event;
      const { state } = view;
      if (inputType !== 'insertText' || data === null || isComposing || view.composing || state.readOnly) return false;
      if (state.selection.ranges.length > 1) return false;
      event.preventDefault();
      const { from, to } = state.selection.main;
      const insert = () => state.update(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
      // Such as the one that closes brackets.
      const isTaken = state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert));
      if (!isTaken) view.dispatch(insert());
      return true;
    },
  });
}
