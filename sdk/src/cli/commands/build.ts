import { resolve } from 'node:path';
import { buildDriver } from '../build/buildDriver.ts';
import { defineCommand, FOLDER_OPTION } from './command.ts';

export const SOURCE_OPTION = {
  source: { type: 'string', value: 'FILE', help: 'the file that exports the driver (default: src/index.ts)' },
} as const;

export const build = defineCommand({
  name: 'build',
  summary: 'bundle the driver and all that it imports into the one file that package.json names',
  options: { ...FOLDER_OPTION, ...SOURCE_OPTION },
  run: async ({ options }, { folder }) => {
    const { entry, bytes, milliseconds } = await buildDriver({
      folder: resolve(folder, options.folder ?? '.'),
      source: options.source,
      sourceMaps: false,
    });
    return { facts: { entry, bytes, milliseconds }, text: `${entry}: ${bytes} bytes in ${milliseconds} ms` };
  },
});
