import type { ElementType, Key, ReactElement } from 'react';
import { jsx, jsxs } from './jsxRuntime.ts';

export { Fragment } from './jsxRuntime.ts';

/** The target of compiled JSX while the window is developed. */
export function jsxDEV(type: ElementType, props: Readonly<Record<string, unknown>>, key?: Key, isStatic = false): ReactElement {
  return isStatic ? jsxs(type, props, key) : jsx(type, props, key);
}
