/**
 * The rooms of a large floor, from the lowest to the highest. A file imports from its own room and from rooms above it in this list, never
 * from one below it: so no two rooms import each other, and a change in a room reaches only those that follow.
 */
export interface RoomList {
  /** Relative to the repository. */
  readonly floor: string;
  /** Folders of the floor, lowest first. The longest one that contains a file is its room; the files of the floor's own folder come last. */
  readonly rooms: readonly string[];
}

export const roomLists: readonly RoomList[] = [
  {
    floor: 'host/src/runtime',
    rooms: [
      'container',
      'program',
      'errors',
      'storage',
      'measures',
      'http',
      'workspace',
      'urlScheme',
      'credentials',
      'drivers/trust',
      'drivers/policy',
      'drivers/packages',
      'drivers/broker',
      'drivers/tunnels',
      'drivers/processes',
      'drivers/registry',
      'drivers/versions',
      'drivers/catalogue',
      'connections',
      'data',
      'drivers/install',
      'drivers',
      'console',
      'editing',
      'transfer',
      'operations',
      'importing',
      'finding',
      'relevance',
      'mcp/access',
      'mcp/approvals',
      'mcp/tools',
      'mcp/server',
      'mcp/http',
      'mcp/oauth',
      'mcp/activity',
      'mcp/clients',
      'mcp',
      'checkup',
      'ownerSocket',
      'api',
    ],
  },
  {
    floor: 'host/src/renderer',
    rooms: [
      'text',
      'i18n',
      'api',
      'state',
      'commands',
      'ui',
      'grid/model',
      'filter',
      'editing',
      'inspector',
      'transfer',
      'importing',
      'tables',
      'grid/tab',
      'grid/commands',
      'grid/view',
      'console',
      'objects',
      'operations',
      'search',
      'finding',
      'dashboard',
      'activity',
      'relevance',
      'principals',
      'plugins',
      'integrations',
      'connections',
      'settings',
      'start',
      'app',
    ],
  },
];

/** The place of a file's room in its floor. */
export interface Room {
  readonly floor: string;
  /** `(floor)` for the files of the floor's own folder. */
  readonly name: string;
  /** Higher rooms may import from lower ones. */
  readonly height: number;
}

/** @param path - relative to the repository, with forward slashes
 * @returns undefined outside the floors that have rooms, and in a folder that no list names */
export function roomOf(path: string): Room | undefined {
  const list = roomLists.find(({ floor }) => path.startsWith(`${floor}/`));
  if (list === undefined) return undefined;
  const inFloor = path.slice(list.floor.length + 1);
  if (!inFloor.includes('/')) return { floor: list.floor, name: '(floor)', height: list.rooms.length };
  const name = list.rooms.filter((room) => inFloor.startsWith(`${room}/`)).sort((a, b) => b.length - a.length)[0];
  return name === undefined ? undefined : { floor: list.floor, name, height: list.rooms.indexOf(name) };
}
