import { z } from 'zod';
import { buildProblemSchema } from '../../common/development.ts';
import { defineCommand } from './command.ts';

// What the tools of driver authors ask of a running host: docs/reference/host-socket.md. No words of the command line stand for these.

/** Stays until the one who asked goes away. */
export const developFolder = defineCommand({
  input: z.object({ folder: z.string().min(1) }),
  output: z.object({}),
  run: async (services, { folder }, { signal, emit }) => {
    const lines = await services.driverDevelopment.follow(folder, signal);
    // From here on a build that is told is one of a driver that is being developed.
    await emit({ type: 'developing' });
    for await (const line of lines) await emit({ type: 'driverLog', line });
    return {};
  },
});

export const takeBuild = defineCommand({
  input: z.object({ folder: z.string().min(1), problems: z.array(buildProblemSchema).max(1_000) }),
  output: z
    .object({
      driver: z.string(),
      version: z.string(),
      sessions: z.array(z.object({ connection: z.string(), problem: z.string().optional() })),
    })
    .nullable(),
  run: async (services, { folder, problems }, { signal }) => {
    const loaded = await services.driverDevelopment.built(folder, problems, signal);
    return loaded === undefined ? null : { ...loaded, sessions: [...loaded.sessions] };
  },
});
