import type { MenuProps } from '@mantine/core';

/** Keeps a menu at a point inside the window also where it has room neither below nor above: its last entries could not be reached there. */
export const MENU_IN_WINDOW: NonNullable<MenuProps['middlewares']> = { flip: true, shift: { crossAxis: true, padding: 4 } };
