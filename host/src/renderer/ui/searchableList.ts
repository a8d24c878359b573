import type { ComboboxItem, OptionsFilter } from '@mantine/core';

/** A name as typed, then one that begins with it, then any other that has it within. */
function distance({ label }: ComboboxItem, sought: string): number {
  const name = label.toLowerCase();
  return name === sought ? 0 : name.startsWith(sought) ? 1 : 2;
}

const best = (items: readonly ComboboxItem[], sought: string): ComboboxItem[] =>
  items
    .filter(({ label }) => label.toLowerCase().includes(sought))
    .toSorted((one, other) => distance(one, sought) - distance(other, sought));

/** The options that have the typed text, the best match first; groups stay in their order. */
export const bestFirst: OptionsFilter = ({ options, search, limit }) => {
  const sought = search.trim().toLowerCase();
  const alone = options.flatMap((option) => ('group' in option ? [] : option));
  const groups = options.flatMap((option) => ('group' in option ? { ...option, items: best(option.items, sought) } : []));
  return [...best(alone, sought), ...groups].slice(0, limit);
};

/**
 * Properties of a select whose options are searched by typing. Enter takes the first match: without this it does nothing, and the select goes back to its
 * former value when it is left.
 */
export const searchableList = { searchable: true, selectFirstOptionOnChange: true, filter: bestFirst } as const;
