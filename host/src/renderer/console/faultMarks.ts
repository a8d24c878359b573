import { StateEffect, StateField } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';
import type { EditorRange } from './statementSource.ts';

const setMarks = StateEffect.define<readonly EditorRange[]>();
const mark = Decoration.mark({ class: 'cm-fault' });

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { docChanged, effects }) {
    const set = effects.find((effect) => effect.is(setMarks));
    if (set === undefined) return docChanged ? Decoration.none : shown;
    const ranges = set.value.map(({ from, to }) => mark.range(from, to));
    return Decoration.set(ranges, true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const look = EditorView.baseTheme({
  '.cm-fault': { textDecoration: 'underline wavy var(--tb-red)', textDecorationSkipInk: 'none', textUnderlineOffset: '3px' },
});

/** Underlines the places of faults until the text changes. */
export const faultMarks: Extension = [marks, look];

/** Underlines these places, and no others any more. */
export function markFaults(editor: EditorView, places: readonly EditorRange[]): void {
  if (places.length === 0 && editor.state.field(marks).size === 0) return;
  editor.dispatch({ effects: setMarks.of(places.map((place) => drawable(editor, place)).filter(({ from, to }) => from < to)) });
}

/** With the character before it, where a place has none of its own: at the end of a line. */
function drawable({ state: { doc } }: EditorView, { from, to }: EditorRange): EditorRange {
  if (from < to) return { from, to };
  const before = doc.sliceString(Math.max(0, from - 2), from);
  return { from: from - ([...before].at(-1) ?? '').length, to };
}
