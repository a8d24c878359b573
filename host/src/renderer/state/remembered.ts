import { z } from 'zod';
import { TAB_VIEWS, WORKSPACE_TOOLS } from '../../common/views.ts';
import { EMPTY_WORKSPACE } from './workspace.ts';
import type { Workspace } from './workspace.ts';

/** The state that a reload of the page keeps: the open tabs without their contents. Connections are opened again, which costs nothing while they are open. */
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
            view: z.enum(TAB_VIEWS),
          }),
          z.object({ key: z.string(), tool: z.enum(WORKSPACE_TOOLS) }),
        ]),
      ),
      activeTab: z.string().optional(),
    }),
  ),
});

/** The saved part of a workspace, as JSON. */
export function toRemembered(workspace: Workspace): z.input<typeof rememberedSchema> {
  const connections = Object.fromEntries(
    Object.entries(workspace.connections).map(([id, { tabs, activeTab }]) => [
      id,
      { tabs: [...tabs], ...(activeTab === undefined ? {} : { activeTab }) },
    ]),
  );
  return { connections, ...(workspace.active === undefined ? {} : { active: workspace.active }) } as z.input<
    typeof rememberedSchema
  >;
}

/** The workspace as it was, or an empty one where nothing usable was kept. */
export function fromRemembered(value: unknown): Workspace {
  const parsed = rememberedSchema.safeParse(value);
  if (!parsed.success) return EMPTY_WORKSPACE;
  const { active, connections } = parsed.data;
  return active === undefined || connections[active] === undefined ? { connections } : { connections, active };
}
