import type { ElementType, Key, ReactElement } from 'react';
import * as runtime from 'react/jsx-runtime';
import { shownFragment, shownProps } from './shownProps.ts';

// The build puts this module in the place of `react/jsx-runtime`, also for the component library (see scripts/build/visibleJsx.ts). So every text that
// reaches an element or a fragment of the page through JSX passes here, from every component. A component that returns a bare text passes it by: it has to
// return an element or a fragment.

export const Fragment: typeof runtime.Fragment = runtime.Fragment;

type Props = Readonly<Record<string, unknown>>;

export function jsx(type: ElementType, props: Props, key?: Key): ReactElement {
  if (type === Fragment) return runtime.jsx(type, shownFragment(props), key);
  if (typeof type !== 'string') return runtime.jsx(type, props, key);
  const shown = shownProps(type, props);
  // Children that became several are a fixed list, as those of jsxs are.
  return Array.isArray(shown['children']) && !Array.isArray(props['children'])
    ? runtime.jsxs(type, shown, key)
    : runtime.jsx(type, shown, key);
}

export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  const shown = type === Fragment ? shownFragment(props) : typeof type === 'string' ? shownProps(type, props) : props;
  return runtime.jsxs(type, shown, key);
}
