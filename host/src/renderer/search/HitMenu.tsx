import { ActionIcon, Menu } from '@mantine/core';
import { IconPin } from '@tabler/icons-react';
import type { HitPlacement } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';

/** The place that a hit is to have. */
export type HitPlace = HitPlacement extends infer Hit
  ? Hit extends HitPlacement
    ? Omit<Hit, 'table' | 'text' | 'key'>
    : never
  : never;

interface Props {
  /** From 1 on. */
  readonly rank: number;
  /** While the hits are those of a search before. */
  readonly isDisabled: boolean;
  /** Whether a rule put it here, which is the only thing to release. */
  readonly isPlaced: boolean;
  readonly onPlace: (place: HitPlace) => void;
}

/** Pins, hides and releases one hit. */
export function HitMenu({ rank, isDisabled, isPlaced, onPlace }: Props): ReactNode {
  const words = strings.search.placing;
  return (
    <Menu position="bottom-start" width={220} withinPortal>
      <Menu.Target>
        <ActionIcon size={22} disabled={isDisabled} aria-label={words.menu(rank)} title={words.menu(rank)}>
          <IconPin size={14} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={words.menu(rank)}>
        {rank === 1 ? null : <Menu.Item onClick={() => onPlace({ action: 'pin', rank: 1 })}>{words.pinFirst}</Menu.Item>}
        <Menu.Item onClick={() => onPlace({ action: 'pin', rank })}>{words.pinHere(rank)}</Menu.Item>
        <Menu.Item onClick={() => onPlace({ action: 'hide' })}>{words.hide}</Menu.Item>
        {isPlaced ? <Menu.Item onClick={() => onPlace({ action: 'release' })}>{words.release}</Menu.Item> : null}
      </Menu.Dropdown>
    </Menu>
  );
}
