import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, completionStatus } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useImperativeHandle, useRef } from 'react';
import type { ReactNode, Ref } from 'react';
import { strings } from '../i18n/index.ts';
import { markHiddenInEditor } from '../text/markHiddenInEditor.ts';
import { plainTyping } from '../text/plainTyping.ts';
import { codeLook } from '../ui/codeLook.ts';
import styles from './inspector.module.css';
import { completeJson } from './jsonNames.ts';
import type { JsonName } from './jsonNames.ts';

export interface JsonCodeHandle {
  /** Selects a part of the text and brings it into view. */
  goTo(from: number, to: number): void;
}

interface Props {
  readonly ref?: Ref<JsonCodeHandle>;
  /** Another text makes another editor. */
  readonly text: string;
  readonly label: string;
  readonly names?: readonly JsonName[];
  readonly isInvalid?: boolean;
  /** Absent: the text can be read and folded, and not changed. */
  readonly edit?: {
    readonly onText: (text: string) => void;
    readonly onSubmit: () => void;
    readonly onCancel: () => void;
  };
}

/** JSON with line numbers and folding, to read or to edit. It keeps its own text while it is edited. */
export function JsonCode({ ref, text, label, names = [], isInvalid = false, edit }: Props): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ edit, names });
  const shown = useRef(text);
  const isEdited = edit !== undefined;
  // The text follows each keystroke, and must not make another editor.
  const version = isEdited ? '' : text;
  useEffect(() => {
    latest.current = { edit, names };
    shown.current = text;
  });

  useEffect(() => {
    if (place.current === null) return undefined;
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: shown.current,
        extensions: [
          markHiddenInEditor(),
          plainTyping(),
          EditorView.cspNonce.of(nonce),
          EditorState.phrases.of(strings.console.phrases),
          Prec.highest(
            keymap.of([
              {
                key: 'Mod-Enter',
                run: () => {
                  latest.current.edit?.onSubmit();
                  return true;
                },
              },
              {
                key: 'Escape',
                run: ({ state }) => {
                  // An open list of names is closed first, by the list itself.
                  if (completionStatus(state) === 'active' || latest.current.edit === undefined) return false;
                  latest.current.edit.onCancel();
                  return true;
                },
              },
            ]),
          ),
          lineNumbers(),
          codeFolding(),
          foldGutter(),
          json(),
          drawSelection(),
          bracketMatching(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          highlightSelectionMatches(),
          search(),
          EditorState.tabSize.of(2),
          ...(isEdited
            ? [
                history(),
                indentOnInput(),
                closeBrackets(),
                autocompletion({ override: [(context) => completeJson(latest.current.names, context)], icons: false }),
                keymap.of([...closeBracketsKeymap, ...historyKeymap, ...completionKeymap]),
              ]
            : [EditorState.readOnly.of(true)]),
          keymap.of([...defaultKeymap, ...searchKeymap, ...foldKeymap]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-multiline': 'true', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.edit?.onText(update.state.doc.toString());
          }),
          codeLook,
        ],
      }),
    });
    view.current = editor;
    if (isEdited) editor.focus();
    return () => {
      editor.destroy();
      view.current = undefined;
    };
  }, [label, isEdited, version]);

  useEffect(() => {
    view.current?.contentDOM.setAttribute('aria-invalid', String(isInvalid));
  }, [isInvalid]);

  useImperativeHandle(ref, () => ({
    goTo(from, to) {
      const editor = view.current;
      if (editor === undefined) return;
      const end = editor.state.doc.length;
      editor.dispatch({
        selection: { anchor: Math.min(from, end), head: Math.min(Math.max(to, from + 1), end) },
        effects: EditorView.scrollIntoView(Math.min(from, end), { y: 'center' }),
      });
      editor.focus();
    },
  }));

  return (
    <div
      ref={place}
      className={styles.code}
      data-editing={isEdited || undefined}
      // The keys of the text are not those of the window.
      onKeyDown={(event) => (isEdited && event.key === 'Escape' ? event.stopPropagation() : undefined)}
    />
  );
}
