import { formatCount } from '../format.ts';

/** The tour of the window, and what a sample connection says of itself. */
export const tourWords = {
  label: 'Tour of the window',
  start: 'Take the tour',
  aliases: 'help introduction first steps',
  offer: 'New here? A short tour shows the window.',
  decline: 'No, thanks',
  skip: 'Skip the tour',
  next: 'Next',
  done: 'Done',
  isShown: 'The tour is already open.',
  position: (at: number, of: number): string => `Step ${formatCount(at)} of ${formatCount(of)}`,
  open: (name: string): string => `Open “${name}”`,
  notSaved: "The answer about the tour couldn't be saved.",
  connections: {
    title: 'Connections',
    sample: (name: string): string =>
      `Each connection leads to one database. “${name}” has made-up data to try: nothing you do there harms anything.`,
    none: 'Each connection leads to one database. Create the first one here.',
    text: 'Each connection leads to one database. Switch between them at the top left; each keeps its tabs.',
    opening: (name: string): string => `“${name}” opens. The tour continues with its rows.`,
  },
  grid: {
    title: 'Rows and changes',
    edits: 'F2 or a double click edits a cell. A change is only staged, until you review it and save.',
    reads: 'The arrow keys go from cell to cell, and a click on a column sorts by it. This connection is read-only.',
  },
  filter: {
    title: 'Filter and search',
    text: 'A filter shows the rows that meet your conditions. Filters that you name are kept.',
    search: 'A filter shows the rows that meet your conditions. “Search” below ranks them as the users of your server see them.',
  },
  console: {
    title: 'Console',
    text: "Requests in the database's own language. What you run is in the history, and statements that write ask first.",
  },
  palette: {
    title: 'Everything by its name',
    text: (keys: string): string =>
      `${keys} finds every table, command and setting by a few letters. “Documentation” opens the guide, and “Take the tour” starts this tour again.`,
  },
  help: 'Help',
  helpText: 'The tour shows the main controls of this window. The documentation works without a network.',
  sample: {
    label: (name: string): string => `About ${name}`,
    tries: 'Try first:',
  },
};
