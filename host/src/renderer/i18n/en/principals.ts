import { formatDate } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

/** What a driver calls them. */
export interface Term {
  readonly one: string;
  readonly other: string;
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase('en') + text.slice(1);

/** The words of Users & Roles. What the database calls them comes from its driver. */
export const principalsWords = {
  title: 'Users & Roles',
  search: (term: Term): string => `Search ${term.other}`,
  add: (term: Term): string => `Add ${term.one}…`,
  refresh: 'Refresh the list',
  list: (term: Term): string => capital(term.other),
  count: (count: number, term: Term): string =>
    formatMessage('{count, plural, one {# {one}} other {# {other}}}', { count, ...term }),
  columns: { label: 'Name', reach: 'Reaches', actions: 'May do', facts: 'Details', expires: 'Expires' },
  serverWide: 'Server-wide',
  serverWideTitle: 'Reaches everything on this server.',
  never: 'Never',
  expired: (iso: string): string => `Expired ${formatDate(iso)}`,
  expiresAt: (iso: string): string => formatDate(iso),
  moreActions: (count: number): string => `+${count}`,
  editLabel: (name: string): string => `Edit ${name}`,
  remove: 'Delete',
  removeLabel: (name: string): string => `Delete ${name}…`,
  removeTitle: (name: string): string => `Delete “${name}”?`,
  removeText: (name: string, reach: string): string =>
    `Whoever uses “${name}” (${reach}) is refused from then on. It cannot be brought back.`,
  typeName: (name: string): string => `Type ${name} to confirm`,
  removeFailed: (name: string): string => `“${name}” was not deleted`,
  commands: {
    add: (term: Term): string => `Add ${term.one}…`,
    refresh: (term: Term): string => `Refresh the list of ${term.other}`,
  },
  removeConfirm: (name: string): string => `Delete ${name}`,
  listFailed: (term: Term): string => `${capital(term.other)} cannot be listed`,
  infoFailed: 'Who may use this database could not be read',
  emptyTitle: (term: Term): string => `No ${term.other} yet`,
  emptyText: (term: Term): string => `Each ${term.one} says what its holder may reach and do. Add the first one.`,
  noMatch: (text: string): string => `Nothing matches “${text}”.`,
  clearSearch: 'Clear the search',
  addTitle: (term: Term): string => `Add ${term.one}`,
  addConfirm: (term: Term): string => `Add ${term.one}`,
  addFailed: (term: Term): string => `The ${term.one} was not added`,
  formFailed: 'The form could not be read',
  required: (label: string): string => `Enter ${label}.`,
  badTime: 'Enter a date and a time.',
  typedHelp: 'Choose, or type a value and press Enter.',
  secretTitle: (name: string): string => `“${name}” was added`,
  secretText: 'This is shown once and kept nowhere. Copy it now and keep it where your other credentials are.',
  savedIt: 'I saved it',
  done: 'Done',
  added: (name: string): string => `Added “${name}”`,
  removed: (name: string): string => `Deleted “${name}”`,
};
