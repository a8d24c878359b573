import { Button } from '@mantine/core';
import { IconMapPin, IconPhoto } from '@tabler/icons-react';
import type { PageCell } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { cellLink } from '../grid/model/cellLink.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { strings } from '../i18n/index.ts';
import { openOutside } from '../ui/openOutside.ts';
import styles from './inspector.module.css';

/** The way to the picture or the map of a value. A button, because browsers look up the server of a link before anybody clicks it. */
export function ValueLink({ column, cell }: { readonly column: GridColumn; readonly cell: PageCell }): ReactNode {
  const link = cellLink(cell, column);
  if (link === undefined) return null;
  const words = strings.inspector;
  return (
    <div className={styles.link}>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={link.kind === 'map' ? <IconMapPin size={14} stroke={1.75} /> : <IconPhoto size={14} stroke={1.75} />}
        title={words.opensOutside(link.host)}
        onClick={() => openOutside(link.href)}
      >
        {link.kind === 'map' ? words.showOnMap : words.showPicture}
      </Button>
      <span>{link.host}</span>
    </div>
  );
}
