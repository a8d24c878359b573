import { formatDate } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

/** The driver's own terms. */
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
  columns: { label: 'Name', reach: 'Scope', actions: 'Permissions', facts: 'Details', expires: 'Expires' },
  serverWide: 'Server-wide',
  serverWideTitle: 'Reaches everything on this server.',
  never: 'Never',
  expired: (iso: string): string => `Expired ${formatDate(iso)}`,
  expiresAt: (iso: string): string => formatDate(iso),
  moreActions: (count: number): string => `+${count}`,
  editLabel: (name: string): string => `Edit ${name}`,
  edit: 'Edit',
  editTitle: (name: string): string => `Edit “${name}”`,
  editConfirm: 'Save changes',
  editFailed: (name: string): string => `“${name}” was not changed`,
  edited: (name: string): string => `Changed “${name}”`,
  details: 'Details',
  detailsLabel: (name: string): string => `Details of ${name}`,
  detailsTitle: (name: string): string => `Details of “${name}”`,
  detailsFailed: (name: string): string => `The details of “${name}” couldn't be read`,
  noDetails: (name: string): string => `“${name}” owns nothing and has no permissions of its own.`,
  review: 'Review statements',
  statements: 'Statements',
  back: 'Back',
  remove: 'Delete',
  removeLabel: (name: string): string => `Delete ${name}…`,
  removeTitle: (name: string): string => `Delete “${name}”?`,
  removeText: (name: string, reach: string): string =>
    `Clients that use “${name}” (${reach}) will be denied access. You can't undo this.`,
  typeName: (name: string): string => `Type ${name} to confirm`,
  removeFailed: (name: string): string => `“${name}” was not deleted`,
  commands: {
    add: (term: Term): string => `Add ${term.one}…`,
    refresh: (term: Term): string => `Refresh the list of ${term.other}`,
  },
  removeConfirm: (name: string): string => `Delete ${name}`,
  listFailed: (term: Term): string => `${capital(term.other)} can't be listed`,
  infoFailed: "The users of this database couldn't be read",
  emptyTitle: (term: Term): string => `No ${term.other} yet`,
  emptyText: (term: Term): string => `Each ${term.one} grants permissions on this database. Add the first one.`,
  noMatch: (text: string): string => `Nothing matches “${text}”.`,
  clearSearch: 'Clear the search',
  addTitle: (term: Term): string => `Add ${term.one}`,
  addConfirm: (term: Term): string => `Add ${term.one}`,
  addFailed: (term: Term): string => `The ${term.one} was not added`,
  generate: (term: Term): string => `Generate ${term.one}…`,
  generateTitle: (term: Term): string => `Generate ${term.one}`,
  generateConfirm: 'Generate',
  generateFailed: (term: Term): string => `The ${term.one} was not generated`,
  generated: (term: Term): string => `New ${term.one}`,
  formFailed: "The form couldn't be read",
  required: (label: string): string => `Enter ${label}.`,
  badTime: 'Enter a date and a time.',
  typedHelp: 'Choose, or type a value and press Enter.',
  secretTitle: (name: string): string => `“${name}” was added`,
  secretText: 'This is shown only once. Copy it now and store it with your other credentials.',
  savedIt: 'I saved it',
  done: 'Done',
  added: (name: string): string => `Added “${name}”`,
  removed: (name: string): string => `Deleted “${name}”`,
};
