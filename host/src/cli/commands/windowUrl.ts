import { z } from 'zod';
import { HostError } from '../../common/errors.ts';
import { defineCommand } from './command.ts';

export const windowUrl = defineCommand({
  input: z.object({}),
  output: z.object({ url: z.string() }),
  run: async (services) => {
    const url = services.newWindowUrl();
    if (url !== undefined) return { url };
    throw new HostError('INVALID_REQUEST', 'No host is running that serves the window to a browser.', {
      details: { advice: 'Start one with "tabularium serve".' },
    });
  },
});
