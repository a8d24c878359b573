import { Menu } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { PointMenu } from '../ui/PointMenu.tsx';

/** Where a menu opens, and for which namespace. */
export interface OpenNamespaceMenu {
  readonly namespace: readonly string[];
  readonly x: number;
  readonly y: number;
}

interface Props {
  readonly at: OpenNamespaceMenu;
  readonly onFind: () => void;
  readonly onClose: () => void;
}

/** The actions on a group of tables. */
export function NamespaceMenu({ at, onFind, onClose }: Props): ReactNode {
  const name = visibleText(at.namespace.join('.'));
  return (
    <PointMenu label={strings.operations.menu(name)} at={at} width={280} onClose={onClose}>
      <Menu.Item onClick={onFind}>{strings.finding.inNamespace(name)}</Menu.Item>
    </PointMenu>
  );
}
