import { visibleText } from '@tabularium/sdk';
import { createElement } from 'react';
import type { ReactNode } from 'react';

/** Attributes that a browser shows or reads aloud. `value` is not one of them: what is edited stays exact. */
const SHOWN_ATTRIBUTES = [
  'title',
  'alt',
  'placeholder',
  'label',
  'summary',
  'aria-label',
  'aria-description',
  'aria-valuetext',
] as const;
const SHOWN_ARIA = ['aria-placeholder', 'aria-roledescription', 'aria-braillelabel'] as const;
const ATTRIBUTES: readonly string[] = [...SHOWN_ATTRIBUTES, ...SHOWN_ARIA];

/** Elements that hold text alone. */
const TEXT_ONLY: readonly string[] = ['option', 'title', 'textarea', 'text', 'tspan'];
/** Not shown. */
const NO_TEXT: readonly string[] = ['style', 'script'];

const RIGHT_TO_LEFT_SCRIPTS = [
  'Hebrew',
  'Arabic',
  'Syriac',
  'Thaana',
  'Nko',
  'Samaritan',
  'Mandaic',
  'Adlam',
  'Hanifi_Rohingya',
  'Mende_Kikakui',
];
const LETTER = `[${RIGHT_TO_LEFT_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`;
const RIGHT_TO_LEFT = new RegExp(`${LETTER}`, 'v');
/** Letters of the other direction, and digits, which belong to the letters before them. */
const OTHER = `[[\\p{L}\\p{Nd}]--${LETTER}]`;
const LEFT_TO_RIGHT = new RegExp(`${OTHER}`, 'v');
/** A run of right-to-left letters with the characters between them, but no digit, space or sign after the last one. */
const RIGHT_TO_LEFT_RUN = new RegExp(`${LETTER}(?:(?:(?!${OTHER}).)*${LETTER})?`, 'gsv');

/** A text as the window shows it, see `visibleText`. Joiners that an emoji or a script needs stay. */
function shownText(text: string): string {
  return visibleText(text, 'data', Infinity);
}

type Props = Readonly<Record<string, unknown>>;

/**
 * The properties of an element of the page, with its text and its attributes as they may be shown. The same object when there is nothing to
 * change, as almost always.
 */
export function shownProps(element: string, props: Props): Props {
  if (NO_TEXT.includes(element)) return props;
  let shown: Record<string, unknown> | undefined;
  const children = shownChildren(element, props['children']);
  if (children !== props['children']) shown = { ...props, children };
  for (const name of ATTRIBUTES) {
    const value = props[name];
    if (typeof value !== 'string') continue;
    const text = shownText(value);
    if (text !== value) (shown ??= { ...props })[name] = text;
  }
  return shown ?? props;
}

/** A fragment may be in any element, so its texts are shown without elements of their own in them. */
export function shownFragment(props: Props): Props {
  const children = shownChildren(TEXT_ONLY[0] ?? '', props['children']);
  return children === props['children'] ? props : { ...props, children };
}

function shownChildren(element: string, children: unknown): unknown {
  if (typeof children === 'string') return shownChild(element, children);
  if (!Array.isArray(children)) return children;
  let changed = false;
  const shown = children.map((child: unknown) => {
    const next = shownChildren(element, child);
    changed ||= next !== child;
    return next;
  });
  return changed ? shown : children;
}

function shownChild(element: string, text: string): ReactNode {
  const shown = shownText(text);
  return TEXT_ONLY.includes(element) || element === 'bdi' ? shown : isolated(shown);
}

/** Right-to-left runs in elements of their own where left-to-right text is beside them, so that they reorder nothing but themselves. */
function isolated(text: string): ReactNode {
  if (!RIGHT_TO_LEFT.test(text) || !LEFT_TO_RIGHT.test(text)) return text;
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: run, index } of text.matchAll(RIGHT_TO_LEFT_RUN)) {
    if (index > end) parts.push(text.slice(end, index));
    parts.push(createElement('bdi', { key: index }, run));
    end = index + run.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}
