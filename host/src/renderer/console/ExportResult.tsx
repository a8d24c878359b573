import { Button, Menu } from '@mantine/core';
import { IconFileExport } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ExportFormat } from '../../common/transfer.ts';
import { saveAs } from '../ui/saveAs.ts';
import { strings } from '../i18n/index.ts';
import { answerText, isJsonText } from './answerViews.ts';
import type { AnswerViewName } from './answerViews.ts';
import { ROW_FORMATS, rowsText } from './rowsText.ts';
import type { Answer } from './runs.ts';

const TYPES: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv',
};
function saveRows(answer: Extract<Answer, { is: 'rows' }>, format: ExportFormat): void {
  saveAs(strings.console.resultFile(format), TYPES[format], rowsText(answer, format));
}

interface Props {
  readonly answer: Answer;
  readonly view: AnswerViewName;
}

/** Hands what a request answered to the person as a file: all of it that is here, not what is on the screen. */
export function ExportResult({ answer, view }: Props): ReactNode {
  const words = strings.console;
  const text = view === 'rows' ? undefined : answerText(answer);
  const icon = <IconFileExport size={14} stroke={1.75} />;
  if (text !== undefined) {
    const [name, type] = isJsonText(answer) ? ['json', 'application/json'] : ['txt', 'text/plain'];
    const save = (): void => saveAs(words.resultFile(name), type, [text]);
    return (
      <Button variant="subtle" color="gray" size="compact-xs" leftSection={icon} onClick={save}>
        {words.exportResult}
      </Button>
    );
  }
  if (answer.is !== 'rows') return null;
  return (
    <Menu position="top-end" width={220} withinPortal>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-xs" leftSection={icon} disabled={answer.milliseconds === undefined}>
          {words.exportResult}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={words.exportResult}>
        {answer.truncated ? <Menu.Label>{words.exportTruncated(answer.rows.length)}</Menu.Label> : null}
        {ROW_FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => saveRows(answer, format)}>
            {strings.transfer.formats[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
