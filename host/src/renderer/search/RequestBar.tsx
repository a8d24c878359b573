import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconCode } from '@tabler/icons-react';
import type { SearchAnswer } from '@tabularium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { formatJson } from '../console/formatJson.ts';
import { JsonCode } from '../inspector/JsonCode.tsx';
import { strings } from '../i18n/index.ts';
import { kindInDriverWords } from '../objects/objectWords.ts';
import { openInConsole } from '../state/consoleTexts.ts';
import { notify } from '../state/notify.ts';
import { useWorkspace } from '../state/WorkspaceContext.tsx';
import { copyText } from '../ui/copyText.ts';
import { onDemand } from '../ui/onDemand.tsx';
import styles from './search.module.css';

interface Props {
  readonly connectionId: string;
  readonly hasConsole: boolean;
  readonly hasObjects: boolean;
  readonly answer: SearchAnswer;
  /** The side of a comparison that it is of; absent for the only one. */
  readonly of?: string;
  /** Whether its request is not the one that the options make now. What was changed since would not be in what is saved, copied or opened. */
  readonly isEarlier: boolean;
}

/** It has an editor for JSON. */
const SaveSearchDialog = onDemand(async () => (await import('../objects/SaveSearchDialog.tsx')).SaveSearchDialog);

/** The request as it was sent: to read, to copy in other forms, and to open in the console. */
export function RequestBar({ connectionId, hasConsole, hasObjects, answer, of, isEarlier }: Props): ReactNode {
  const words = strings.search;
  const { dispatch } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const { request, statement, code, object } = answer;
  const [isSaving, setSaving] = useState(false);
  const kinds = useQuery({
    queryKey: ['objects', connectionId, 'kinds'],
    queryFn: ({ signal }) => api.objects.kinds.query({ connectionId }, { signal }),
    enabled: hasObjects && object !== undefined,
  });
  const found = kinds.data?.find(({ id }) => id === object?.kind);
  const kind = found === undefined ? undefined : kindInDriverWords(connectionId, found);
  const use = { disabled: isEarlier, title: isEarlier ? words.earlierRequest : undefined };
  const body = formatJson(request.body ?? '') ?? request.body ?? '';
  const curl = async (text: string): Promise<void> => {
    try {
      const command = await api.console.curl.mutate({ connectionId, statement: text });
      await copyText(command, strings.console.copiedCurl);
    } catch (error) {
      notify({ tone: 'warning', text: problemOf(error).message });
    }
  };
  return (
    <section className={styles.request} aria-label={words.request}>
      <div className={styles.requestHead}>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconCode size={14} />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {of === undefined ? words.request : words.requestOf(of)}
        </Button>
        <Menu position="top-start">
          <Menu.Target>
            <Button size="compact-xs" variant="subtle" {...use} rightSection={<IconChevronDown size={12} />}>
              {strings.common.copy}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void copyText(body, words.copied(words.request))}>{words.copyRequest}</Menu.Item>
            {statement === undefined || !hasConsole ? null : (
              <Menu.Item onClick={() => void curl(statement)}>{words.copyCurl}</Menu.Item>
            )}
            {code.map(({ label, text }) => (
              <Menu.Item key={label} onClick={() => void copyText(text, words.copied(label))}>
                {words.copyCode(label)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        {statement === undefined || !hasConsole ? null : (
          <Button
            size="compact-xs"
            variant="subtle"
            {...use}
            onClick={() => {
              openInConsole(connectionId, statement);
              dispatch({ type: 'openTool', connectionId, tool: 'console' });
            }}
          >
            {words.openInConsole}
          </Button>
        )}
        {kind === undefined ? null : (
          <Button
            size="compact-xs"
            variant="subtle"
            disabled={isEarlier || !kind.save.allowed}
            title={kind.save.allowed ? (use.title ?? kind.help) : kind.save.reason}
            onClick={() => setSaving(true)}
          >
            {words.saveOnServer(kind.term.one)}
          </Button>
        )}
      </div>
      {isOpen ? (
        <div className={styles.requestText}>
          <JsonCode text={body} label={`${request.method} ${request.path}`} />
        </div>
      ) : null}
      {isSaving && kind !== undefined && object !== undefined ? (
        <SaveSearchDialog connectionId={connectionId} kind={kind} document={object.document} onClose={() => setSaving(false)} />
      ) : null}
    </section>
  );
}
