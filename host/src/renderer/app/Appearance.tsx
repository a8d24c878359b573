import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { usePreferences } from '../api/queries.ts';

/** Brings the host's preferences to the page: every window of a home looks the same. */
export function Appearance(): ReactNode {
  const preferences = usePreferences().data;
  const { setColorScheme } = useMantineColorScheme();
  const theme = preferences?.theme;
  const density = preferences?.density;
  useEffect(() => {
    if (theme !== undefined) setColorScheme(theme === 'system' ? 'auto' : theme);
  }, [theme, setColorScheme]);
  useEffect(() => {
    if (density !== undefined) document.documentElement.dataset['density'] = density;
  }, [density]);
  return null;
}
