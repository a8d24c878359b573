import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from '@codemirror/autocomplete';
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { ReactNode, Ref } from 'react';
import { strings } from '../i18n/index.ts';
import { markHiddenInEditor } from '../text/markHiddenInEditor.ts';
import { plainTyping } from '../text/plainTyping.ts';
import styles from './console.module.css';
import { completeByDriver } from './completeByDriver.ts';
import { answerLook, statementLanguage } from './editorLook.ts';
import { faultMarks, markFaults } from './faultMarks.ts';
import { isSql, loadLanguage } from './loadLanguage.ts';
import type { ConsoleLanguage } from './loadLanguage.ts';
import type { EditorRange } from './statementSource.ts';

/** The console's way to its editor. */
export interface EditorHandle {
  text(): string;
  /** The selection; `from` equals `to` where there is only a cursor. */
  selection(): { readonly from: number; readonly to: number };
  /** Puts a text below what is there, and the cursor into it. */
  append(text: string): void;
  /** Replaces everything; undo brings it back. */
  replace(text: string): void;
  /** Calls a listener after every change of the text, until the returned function is called. */
  onText(listener: () => void): () => void;
  /** Underlines these places, and no others, until the text changes. */
  mark(places: readonly EditorRange[]): void;
  /** Selects a place, scrolls to it and takes the focus. */
  goTo(place: EditorRange): void;
  focus(): void;
}

interface Props {
  readonly ref: Ref<EditorHandle>;
  readonly connectionId: string;
  /** The language of the statements. It does not change while a connection is open. */
  readonly language: ConsoleLanguage;
  readonly initialText: string;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
  readonly onRunAll: () => void;
  readonly onSave: () => void;
  /** The session that the text is for; undefined where there is none. */
  readonly sessionId: () => string | undefined;
}

/** The editor of the console. It keeps its own text; React gets its changes and never writes them back. */
export function CodeEditor({ ref, connectionId, language, initialText, ...handlers }: Props): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(handlers);
  const first = useRef(initialText);
  const [listeners] = useState(() => new Set<() => void>());
  const { name, dialect } = language;
  useEffect(() => {
    latest.current = handlers;
  });

  useEffect(() => {
    if (place.current === null) return undefined;
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
    const run =
      (what: 'onRun' | 'onRunAll' | 'onSave') =>
      (editing: EditorView): boolean => {
        // Completions that are still on their way would cover the statement that runs.
        closeCompletion(editing);
        latest.current[what]();
        return true;
      };
    const spoken = new Compartment();
    const closing = new AbortController();
    const completeInSession = (context: CompletionContext): Promise<CompletionResult | null> =>
      completeByDriver(connectionId, latest.current.sessionId(), context, isSql({ name, dialect }));
    const byDriver = autocompletion({ override: [completeInSession], icons: false });
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        selection: { anchor: first.current.length },
        extensions: [
          markHiddenInEditor(),
          plainTyping(),
          EditorView.cspNonce.of(nonce),
          EditorState.phrases.of(strings.console.phrases),
          Prec.highest(
            keymap.of([
              { key: 'Mod-Enter', run: run('onRun') },
              { key: 'Mod-Shift-Enter', run: run('onRunAll') },
              { key: 'Mod-s', run: run('onSave'), preventDefault: true },
              // Tab moves on in the window, but for an open list of completions.
              { key: 'Tab', run: acceptCompletion },
            ]),
          ),
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          highlightSelectionMatches(),
          search(),
          spoken.of([statementLanguage, byDriver]),
          keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap]),
          placeholder(strings.console.placeholder),
          EditorView.contentAttributes.of({ 'aria-label': strings.console.editor }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            latest.current.onChange(update.state.doc.toString());
            for (const listener of listeners) listener();
          }),
          answerLook,
          faultMarks,
        ],
      }),
    });
    view.current = editor;
    void loadLanguage(connectionId, { name, dialect }, completeInSession)
      .then((loaded) => {
        if (loaded === undefined || closing.signal.aborted) return;
        const completion = autocompletion({ override: [loaded.complete], icons: false });
        editor.dispatch({ effects: spoken.reconfigure([loaded.extension, completion]) });
      })
      // Without its language the editor is what it was before.
      .catch(() => undefined);
    return () => {
      closing.abort();
      first.current = editor.state.doc.toString();
      editor.destroy();
      view.current = undefined;
    };
  }, [connectionId, name, dialect, listeners]);

  useImperativeHandle(
    ref,
    () => ({
      text: () => view.current?.state.doc.toString() ?? first.current,
      selection: () => view.current?.state.selection.main ?? { from: 0, to: 0 },
      append(text) {
        const editor = view.current;
        if (editor === undefined) return;
        const before = editor.state.doc.toString().trimEnd();
        const separator = before === '' ? '' : '\n\n';
        const from = before.length + separator.length;
        editor.dispatch({
          changes: { from: before.length, to: editor.state.doc.length, insert: separator + text },
          selection: { anchor: from },
          effects: EditorView.scrollIntoView(from, { y: 'center' }),
        });
        editor.focus();
      },
      replace(text) {
        const editor = view.current;
        if (editor === undefined) return;
        const anchor = Math.min(editor.state.selection.main.head, text.length);
        editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text }, selection: { anchor } });
      },
      onText(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      mark(places) {
        if (view.current !== undefined) markFaults(view.current, places);
      },
      goTo({ from, to }) {
        const editor = view.current;
        if (editor === undefined) return;
        editor.dispatch({
          selection: { anchor: from, head: to },
          effects: EditorView.scrollIntoView(from, { y: 'center' }),
        });
        editor.focus();
      },
      focus: () => view.current?.focus(),
    }),
    [listeners],
  );

  return <div ref={place} className={styles.editor} />;
}
