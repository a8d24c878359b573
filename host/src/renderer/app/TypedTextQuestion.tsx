import { visibleText } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { forgetLosingStep, useLosingStep } from '../state/typedTexts.ts';
import { DiscardQuestion } from '../ui/DiscardQuestion.tsx';

/** Asks before a tab is closed in which something is typed that is not staged yet. */
export function TypedTextQuestion(): ReactNode {
  const asked = useLosingStep();
  return (
    <DiscardQuestion
      opened={asked !== undefined}
      text={strings.form.discardTyped((asked?.tabs ?? []).map((name) => visibleText(name)))}
      onKeep={forgetLosingStep}
      onDiscard={() => {
        forgetLosingStep();
        asked?.goOn();
      }}
    />
  );
}
