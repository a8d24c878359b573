import { useState } from 'react';
import { z } from 'zod';
import { recall, remember } from '../state/workspaceStore.ts';

/** Narrower, names are cut to nothing; wider, there is no room for a grid beside it. */
export const SIDEBAR_WIDTH = { least: 160, usual: 240, most: 480 } as const;
const NAME = 'layout';

const layoutSchema = z.object({ sidebarWidth: z.number().min(SIDEBAR_WIDTH.least).max(SIDEBAR_WIDTH.most) });

export interface Layout {
  readonly sidebarWidth: number;
  readonly setSidebarWidth: (width: number) => void;
}

/** How wide the parts of the window are; the next window has what the last one had. */
export function useLayout(): Layout {
  const [width, setWidth] = useState<number>();
  const parsed = layoutSchema.safeParse(recall('home', NAME));
  return {
    sidebarWidth: width ?? (parsed.success ? parsed.data.sidebarWidth : SIDEBAR_WIDTH.usual),
    setSidebarWidth: (wanted) => {
      const next = Math.round(Math.min(SIDEBAR_WIDTH.most, Math.max(SIDEBAR_WIDTH.least, wanted)));
      setWidth(next);
      remember('home', NAME, { sidebarWidth: next });
    },
  };
}
