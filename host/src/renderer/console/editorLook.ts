import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/**
 * Colours for text of any statement language: strings, numbers, names before a colon, the words that begin a line, notices, variables. The
 * driver decides what the text means; this only helps the eye.
 */
const language = StreamLanguage.define<{ lineWords: number }>({
  name: 'statements',
  startState: () => ({ lineWords: 0 }),
  token(stream, state) {
    if (stream.sol()) state.lineWords = 0;
    if (stream.eatSpace()) return null;
    if (stream.match(/^\{\{\s*[A-Za-z_]\w*\s*\}\}/)) return 'macroName';
    if (stream.sol() && stream.match(/^(?:#|\/\/|--).*/)) return 'comment';
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return stream.match(/^\s*:/, false) ? 'propertyName' : 'string';
    if (stream.match(/^'(?:[^'\\]|\\.)*'?/)) return 'string';
    if (stream.match(/^(?:true|false|null)\b/)) return 'atom';
    if (stream.match(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/)) return 'number';
    if (stream.match(/^[A-Z]{2,}(?=\s|$)/)) {
      state.lineWords += 1;
      return state.lineWords === 1 ? 'keyword' : null;
    }
    if (stream.match(/^[{}[\],:]/)) return 'punctuation';
    if (stream.match(/^[^\s"'{}[\],:]+/) === null) stream.next();
    return null;
  },
  languageData: { commentTokens: { line: '#' }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
});

const colors = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--tb-accent)', fontWeight: '600' },
  { tag: tags.propertyName, color: 'var(--tb-accent)' },
  { tag: tags.string, color: 'var(--tb-green)' },
  { tag: [tags.number, tags.atom], color: 'var(--tb-violet)' },
  { tag: tags.comment, color: 'var(--tb-muted)', fontStyle: 'italic' },
  { tag: tags.macroName, color: 'var(--tb-amber)', fontWeight: '600' },
  { tag: tags.punctuation, color: 'var(--tb-muted)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--tb-surface)', color: 'var(--tb-text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--tb-mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--tb-text)', padding: '6px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--tb-text)' },
  '.cm-gutters': { backgroundColor: 'var(--tb-surface)', color: 'var(--tb-muted)', border: '0' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--tb-hover) 40%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--tb-text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--tb-accent) 28%, transparent)',
  },
  '.cm-placeholder': { color: 'var(--tb-muted)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--tb-hover)', outline: '1px solid var(--tb-faint)' },
  '.cm-tooltip': {
    border: '1px solid var(--tb-border)',
    borderRadius: '6px',
    backgroundColor: 'var(--tb-raised)',
    color: 'var(--tb-text)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--tb-mono)', maxHeight: '240px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--tb-accent-soft)',
    color: 'var(--tb-text)',
  },
  '.cm-completionDetail': { color: 'var(--tb-muted)', fontStyle: 'normal', fontFamily: 'var(--mantine-font-family)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-panels': { backgroundColor: 'var(--tb-chrome)', color: 'var(--tb-text)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--tb-border)' },
  '.cm-panel button, .cm-panel input': {
    border: '1px solid var(--tb-border)',
    borderRadius: '4px',
    backgroundColor: 'var(--tb-raised)',
    backgroundImage: 'none',
    color: 'var(--tb-text)',
    fontSize: '12px',
  },
  '.cm-foldPlaceholder': {
    padding: '0 6px',
    border: '1px solid var(--tb-border)',
    backgroundColor: 'var(--tb-raised)',
    color: 'var(--tb-muted)',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--tb-amber-soft)' },
  '.cm-searchMatch-selected': { backgroundColor: 'color-mix(in srgb, var(--tb-amber) 40%, transparent)' },
});

/** Colours and sizes of every editor here. */
export const answerLook: Extension = [syntaxHighlighting(colors), theme];

/** The same, with the language that helps the eye where no other is known. */
export const statementLanguage: Extension = language;
