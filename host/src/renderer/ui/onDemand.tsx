import { useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { useSettled } from '../state/useSettled.ts';

interface Loaded<Props> {
  readonly Component: ComponentType<Props>;
}

/**
 * A component whose module is loaded when it is first drawn, and which is there at once from then on. `waiting` is drawn until it is loaded. A module
 * that cannot be loaded throws as drawing it would, and is asked for again when the component is next put on the screen.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
): ComponentType<Props> & { readonly preload: () => void } {
  let loading: Promise<Loaded<Props>> | undefined;
  let loaded: Loaded<Props> | undefined;
  const begin = (): Promise<Loaded<Props>> => {
    loading ??= load().then(
      (Component) => (loaded = { Component }),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    // The component that is drawn throws it.
    loading.catch(() => undefined);
    return loading;
  };
  function OnDemand(props: Props): ReactNode {
    const [promise] = useState(begin);
    const settled = useSettled(promise);
    const { Component } = loaded ?? settled ?? {};
    return Component === undefined ? waiting : <Component {...props} />;
  }
  return Object.assign(OnDemand, { preload: () => void begin() });
}
