import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const colors = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--tb-accent)', fontWeight: '600' },
  { tag: tags.propertyName, color: 'var(--tb-accent)' },
  { tag: tags.string, color: 'var(--tb-green)' },
  { tag: [tags.number, tags.atom, tags.bool, tags.null], color: 'var(--tb-violet)' },
  { tag: tags.comment, color: 'var(--tb-muted)', fontStyle: 'italic' },
  { tag: tags.macroName, color: 'var(--tb-amber)', fontWeight: '600' },
  { tag: [tags.punctuation, tags.separator, tags.bracket], color: 'var(--tb-muted)' },
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

/** The colours and the look of code in an editor. */
export const codeLook: Extension = [syntaxHighlighting(colors), theme];
