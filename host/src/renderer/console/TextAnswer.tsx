import { codeFolding, foldGutter, foldKeymap } from '@codemirror/language';
import { json } from '@codemirror/lang-json';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, drawSelection, keymap, lineNumbers } from '@codemirror/view';
import { defaultKeymap } from '@codemirror/commands';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { markHiddenInEditor } from '../text/markHiddenInEditor.ts';
import { answerLook } from './editorLook.ts';
import styles from './results.module.css';

interface Props {
  readonly text: string;
  readonly isJson: boolean;
}

/** An answer as text, to read, fold and search. Only the lines on the screen are drawn, so that megabytes of it are as quick as a page. */
export function TextAnswer({ text, isJson }: Props): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return undefined;
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          markHiddenInEditor(),
          EditorView.cspNonce.of(nonce),
          EditorState.phrases.of(strings.console.phrases),
          EditorState.readOnly.of(true),
          lineNumbers(),
          drawSelection(),
          highlightSelectionMatches(),
          search(),
          ...(isJson ? [json(), codeFolding(), foldGutter(), keymap.of(foldKeymap)] : []),
          keymap.of([...searchKeymap, ...defaultKeymap]),
          EditorView.contentAttributes.of({ 'aria-label': strings.console.textLabel, 'aria-readonly': 'true', tabindex: '0' }),
          answerLook,
        ],
      }),
    });
    return () => view.destroy();
  }, [text, isJson]);
  return <div ref={place} className={styles.text} />;
}
