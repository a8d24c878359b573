import type { ComboboxProps } from '@mantine/core';

/** The list of a field above it, where there is room: below are the buttons of the dialog, and a list that opens with the focus would cover them. */
export const LIST_ABOVE = { position: 'top-start' } as const satisfies ComboboxProps;
