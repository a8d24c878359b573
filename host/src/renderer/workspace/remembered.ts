import { z } from 'zod';
import { EMPTY_WORKSPACE } from './workspace.ts';
import type { Workspace } from './workspace.ts';

/** What a reload of the page keeps: what was open, not what it held. Connections are opened anew, which costs nothing while they are open. */
const rememberedSchema = z.object({
  active: z.string().optional(),
  connections: z.record(
    z.string(),
    z.object({
      tabs: z.array(
        z.union([
          z.object({
            key: z.string(),
            table: z.object({ namespace: z.array(z.string()), name: z.string() }),
            view: z.enum(['data', 'structure']),
          }),
          z.object({ key: z.string(), tool: z.enum(['console', 'principals', 'dashboard']) }),
        ]),
      ),
      activeTab: z.string().optional(),
    }),
  ),
});

export function remembered(workspace: Workspace): string {
  const connections = Object.fromEntries(
    Object.entries(workspace.connections).map(([id, { tabs, activeTab }]) => [id, { tabs, activeTab }]),
  );
  return JSON.stringify({ active: workspace.active, connections });
}

/** The workspace as it was, or an empty one where nothing usable was kept. */
export function recall(text: string | null): Workspace {
  if (text === null) return EMPTY_WORKSPACE;
  try {
    const { active, connections } = rememberedSchema.parse(JSON.parse(text));
    return active === undefined || connections[active] === undefined ? { connections } : { connections, active };
  } catch {
    return EMPTY_WORKSPACE;
  }
}
