import type { Actor } from './actor.ts';

/** Reads by the command line: rows, a filter, a search, the tables. */
export function commandActor(): Actor {
  let turn = 0;
  return {
    name: 'commands that read',
    every: 1_500,
    async step({ application, connection }) {
      turn += 1;
      const commands = [
        ['rows', connection, 'products', '--limit', '500'],
        ['rows', connection, 'products', '--filter', `price:>${turn % 90}`, '--sort', 'price:desc', '--limit', '100'],
        ['search', connection, 'products', 'lamp', '--by', 'name', '--limit', '50'],
        ['tables', connection],
      ];
      await application.command(...(commands[turn % commands.length] ?? []));
    },
  };
}
