import { Box, Button, Group, Modal, TextInput } from '@mantine/core';
import type { TableRef } from '@tabularium/sdk';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { useNamedTables, useOpenNamed } from '../api/namedTables.ts';
import { problemOf } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';

interface Props {
  readonly connection: OpenConnectionInfo;
  readonly onOpen: (table: TableRef) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a table that is not listed. A name that the credentials do not reach stays in the field, with the reason. */
export function OpenByNameDialog({ connection, onOpen, onClose }: Props): ReactNode {
  const words = strings.sidebar;
  const { table: term } = connection.manifest.terms;
  const reason = useNamedTables(connection).data?.reason;
  const open = useOpenNamed(connection.connectionId);
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const typed = name.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (typed === '' || open.isPending) return;
    open.mutate(typed, {
      onSuccess: ({ ref }) => {
        onClose();
        onOpen(ref);
      },
    });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.openByNameTitle(term)}
      size={440}
      yOffset={96}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <form noValidate onSubmit={submit}>
        <TextInput
          data-autofocus
          label={words.nameOf(term)}
          description={reason}
          value={name}
          maxLength={1_000}
          autoComplete="off"
          spellCheck={false}
          error={tried && typed === '' ? words.nameMissing(term) : undefined}
          onChange={(event) => {
            setName(event.currentTarget.value);
            open.reset();
          }}
        />
        {open.error === null ? null : (
          <Box mt={12}>
            <ProblemPanel compact title={words.notOpened(typed)} problem={problemOf(open.error)} />
          </Box>
        )}
        <Group justify="flex-end" gap={8} mt={16}>
          <Button variant="default" onClick={onClose}>
            {strings.common.cancel}
          </Button>
          <Button type="submit" loading={open.isPending}>
            {words.open}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
