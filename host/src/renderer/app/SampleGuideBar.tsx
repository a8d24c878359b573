import { ActionIcon } from '@mantine/core';
import { IconFlask, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { SAMPLE_GUIDE, sampleGuideSchema } from '../../common/sampleGuide.ts';
import type { SampleGuide } from '../../common/sampleGuide.ts';
import type { TabView, WorkspaceTool } from '../../common/views.ts';
import type { TableRef } from '@tabularium/sdk';
import { useKnownTables } from '../api/queries.ts';
import { strings } from '../i18n/index.ts';
import { language } from '../i18n/language.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { flush, remember, useRemembered } from '../state/workspaceStore.ts';
import styles from './sampleGuideBar.module.css';
import { toolsOf } from './tools.tsx';

interface Props {
  readonly name: string;
  readonly connection: OpenConnectionInfo;
  readonly onOpen: (table: TableRef, view: TabView) => void;
  readonly onOpenTool: (tool: WorkspaceTool) => void;
}

type Try = SampleGuide['tries'][number];

/** The contents of a sample connection, and views to try first. Dismissed, it is gone from every window. */
export function SampleGuideBar({ name, connection, onOpen, onOpenTool }: Props): ReactNode {
  const { connectionId, facets } = connection;
  const tables = useKnownTables(connectionId);
  const guide = sampleGuideSchema.safeParse(useRemembered(connectionId, SAMPLE_GUIDE)).data;
  if (guide === undefined) return null;
  const words = strings.tour.sample;
  const tools = toolsOf(connection).map(({ tool }) => tool);
  // A table that a person has removed leads nowhere, and neither does a view that the driver lacks.
  const isThere = ({ opens }: Try): boolean =>
    opens.is === 'tool'
      ? tools.includes(opens.tool)
      : tables.some(({ ref }) => workspaceTableKey(ref) === workspaceTableKey(opens.table)) &&
        (facets.includes('search') || opens.view === 'data' || opens.view === 'structure');
  const tries = guide.tries.filter(isThere);
  const dismiss = (): void => {
    remember(connectionId, SAMPLE_GUIDE, undefined);
    // An answer that is given once doesn't wait for more, as typing does.
    void flush();
  };
  return (
    <section className={styles.bar} aria-label={words.label(name)}>
      <IconFlask size={16} stroke={1.75} aria-hidden />
      <p>
        {inLanguage(guide.about)}
        {tries.length === 0 ? null : (
          <span className={styles.tries}>
            {words.tries}{' '}
            {tries.map(({ label, opens }) => (
              <button
                key={label.en}
                type="button"
                onClick={() => (opens.is === 'tool' ? onOpenTool(opens.tool) : onOpen(opens.table, opens.view))}
              >
                {inLanguage(label)}
              </button>
            ))}
          </span>
        )}
      </p>
      <ActionIcon size={22} aria-label={strings.common.dismiss} onClick={dismiss}>
        <IconX size={14} stroke={1.75} />
      </ActionIcon>
    </section>
  );
}

function inLanguage(texts: SampleGuide['about']): string {
  return texts[language] ?? texts.en;
}
