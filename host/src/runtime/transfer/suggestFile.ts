import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { TableRef } from '@tabularium/sdk';
import { hiddenCharacter } from '@tabularium/sdk';
import type { ExportFormat } from '../../common/transfer.ts';
import { userFolder } from '../storage/userFolder.ts';

/** A path that is free, in the folder where people look for what was downloaded. */
export async function suggestFile(table: TableRef, format: ExportFormat): Promise<string> {
  const downloads = join(userFolder(), 'Downloads');
  const folder = await stat(downloads).then(
    (entry) => (entry.isDirectory() ? downloads : userFolder()),
    () => userFolder(),
  );
  const name =
    [...table.name]
      .filter((character) => hiddenCharacter(character) === undefined)
      .join('')
      .replaceAll(/[^\p{L}\p{N} ._-]/gu, '_')
      .replace(/^\.+/, '_')
      .slice(0, 80) || 'export';
  for (let number = 1; ; number += 1) {
    const file = join(folder, `${name}${number === 1 ? '' : ` (${number})`}.${format}`);
    const taken = await stat(file).then(
      () => true,
      () => false,
    );
    if (!taken) return file;
  }
}
