import { Button, Menu } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { copyText } from '../ui/copyText.ts';
import { answerText } from './answerViews.ts';
import type { AnswerViewName } from './answerViews.ts';
import { ROW_FORMATS, rowsText } from './rowsText.ts';
import type { Answer } from './runs.ts';

interface Props {
  readonly answer: Answer;
  readonly view: AnswerViewName;
}

/** Copies what is looked at: the rows in a format of choice, or the whole answer as the database gave it. */
export function CopyAnswer({ answer, view }: Props): ReactNode {
  const words = strings.console;
  const icon = <IconCopy size={14} stroke={1.75} />;
  if (answer.is === 'rows' && view === 'rows') {
    return (
      <Menu position="top-end" width={220} withinPortal>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            leftSection={icon}
            disabled={answer.milliseconds === undefined || answer.rows.length === 0}
          >
            {words.copyRows}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label={words.copyRows}>
          {ROW_FORMATS.map((format) => (
            <Menu.Item
              key={format}
              onClick={() => void copyText(rowsText(answer, format).join(''), words.copiedRows(answer.rows.length))}
            >
              {strings.transfer.formats[format]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    );
  }
  const text = answerText(answer);
  if (text === undefined) return null;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      leftSection={icon}
      onClick={() => void copyText(text, strings.common.copied)}
    >
      {words.copyAnswer}
    </Button>
  );
}
