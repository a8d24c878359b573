import type { ElementType, Key, ReactElement } from 'react';
import { jsx, jsxs } from './jsxRuntime.ts';

export { Fragment } from './jsxRuntime.ts';

/** What JSX is compiled to while the window is worked on. */
export function jsxDEV(type: ElementType, props: Readonly<Record<string, unknown>>, key?: Key, isStatic = false): ReactElement {
  return isStatic ? jsxs(type, props, key) : jsx(type, props, key);
}
