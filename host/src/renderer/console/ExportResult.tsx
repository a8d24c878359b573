import { Button, Menu } from '@mantine/core';
import { IconFileExport } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { rowFormat } from '../../common/rowFormats.ts';
import type { ExportFormat } from '../../common/transfer.ts';
import { saveAs } from '../ui/saveAs.ts';
import { strings } from '../i18n/index.ts';
import type { Answer } from './runs.ts';

const FORMATS: readonly ExportFormat[] = ['jsonl', 'json', 'csv'];
const TYPES: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv',
};
/** Rows that become text at a time, so that a large result is not one string of hundreds of megabytes. */
const ROWS_AT_A_TIME = 2_000;

type Rows = Extract<Answer, { is: 'rows' }>;

function saveRows({ columns, rows }: Rows, format: ExportFormat): void {
  const writer = rowFormat(format, { header: true, guardFormulas: false });
  const parts = [writer.begin(columns)];
  for (let from = 0; from < rows.length; from += ROWS_AT_A_TIME) parts.push(writer.rows(rows.slice(from, from + ROWS_AT_A_TIME)));
  parts.push(writer.end());
  saveAs(strings.console.resultFile(format), TYPES[format], parts);
}

/** Hands what a request answered to the person as a file: all of it that is here, not what is on the screen. */
export function ExportResult({ answer }: { readonly answer: Answer }): ReactNode {
  const words = strings.console;
  if (answer.is === 'nothing') return null;
  const icon = <IconFileExport size={14} stroke={1.75} />;
  if (answer.is === 'text') {
    const { text, mediaType } = answer;
    const save = (): void => saveAs(words.resultFile(mediaType === 'application/json' ? 'json' : 'txt'), mediaType, [text]);
    return (
      <Button variant="subtle" color="gray" size="compact-xs" leftSection={icon} onClick={save}>
        {words.exportResult}
      </Button>
    );
  }
  return (
    <Menu position="top-end" width={220} withinPortal>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-xs" leftSection={icon} disabled={answer.milliseconds === undefined}>
          {words.exportResult}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={words.exportResult}>
        {answer.truncated ? <Menu.Label>{words.exportTruncated(answer.rows.length)}</Menu.Label> : null}
        {FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => saveRows(answer, format)}>
            {strings.transfer.formats[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
