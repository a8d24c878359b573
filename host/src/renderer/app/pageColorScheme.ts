import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';

/**
 * The colours that the page was sent with: the transport has written what the person chose into it, so the first frame is right. Later choices
 * come from the host (see `Appearance`), for every window of a home.
 */
export const pageColorScheme: MantineColorSchemeManager = {
  get: (otherwise): MantineColorScheme => {
    const theme = document.documentElement.dataset['theme'];
    return theme === 'light' || theme === 'dark' ? theme : theme === 'system' ? 'auto' : otherwise;
  },
  set: (scheme) => {
    document.documentElement.dataset['theme'] = scheme === 'auto' ? 'system' : scheme;
  },
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
};
