import { ActionIcon } from '@mantine/core';
import type { ActionIconProps } from '@mantine/core';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './labelledAction.module.css';

type Props = ActionIconProps &
  Omit<ComponentPropsWithRef<'button'>, 'color' | 'style' | 'aria-label'> & {
    readonly icon: ReactNode;
    /** One or two words beside the icon, where the bar is wide enough. */
    readonly label: string;
    /** Its whole name, for people who do not see it. */
    readonly 'aria-label': string;
  };

/** A button in a bar: an icon with a label, and in a narrow bar the icon alone. The bar is in a container that CSS can ask for its width. */
export function LabelledAction({ icon, label, className, ...button }: Props): ReactNode {
  return (
    <ActionIcon {...button} className={`${styles.action} ${className ?? ''}`}>
      {icon}
      <span className={styles.label} aria-hidden>
        {label}
      </span>
    </ActionIcon>
  );
}
