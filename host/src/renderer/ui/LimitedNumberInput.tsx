import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './limitedNumberInput.module.css';

interface Props {
  readonly label: string;
  readonly description?: string;
  readonly width?: number;
  readonly value: number | undefined;
  readonly min: number;
  readonly max: number;
  /** Gets whole numbers from `min` to `max`, and undefined while the field is empty. */
  readonly onValue: (value: number | undefined) => void;
}

/**
 * A field for a whole number between two limits. While the person types, any number stays as it is typed, and one outside the limits is marked with
 * them. On leaving the field it becomes the nearest limit; an emptied field shows its value again.
 */
export function LimitedNumberInput({ value, min, max, width, onValue, ...shown }: Props): ReactNode {
  const [draft, setDraft] = useState<number | string>();
  const isOutside = typeof draft === 'number' && (draft < min || draft > max);
  return (
    <NumberInput
      {...shown}
      size="xs"
      w={width}
      classNames={{ root: styles.root, wrapper: styles.wrapper, error: styles.error }}
      min={min}
      max={max}
      clampBehavior="none"
      allowDecimal={false}
      value={draft ?? value ?? ''}
      error={isOutside ? strings.common.limits(min, max) : undefined}
      onChange={(next) => {
        setDraft(next);
        if (next === '') onValue(undefined);
        else if (typeof next === 'number' && next >= min && next <= max) onValue(next);
      }}
      onBlur={() => {
        if (typeof draft === 'number' && isOutside) onValue(Math.min(Math.max(draft, min), max));
        setDraft(undefined);
      }}
    />
  );
}
