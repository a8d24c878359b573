import { Button } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { pictureAddress } from '../grid/model/cellLink.ts';
import { strings } from '../i18n/index.ts';
import { openOutside } from '../ui/openOutside.ts';
import type { HitDocument } from './hitFields.ts';

/** Pictures of one hit that have a button. */
const MOST_PICTURES = 3;
/** Values of a document that are looked at. */
const MOST_LOOKED_AT = 1_000;

/** The ways to the pictures of a hit. As in the grid, nothing is requested from another server until a person opens it: a thumbnail would reveal each search to it. */
export function HitPictures({ document }: { readonly document: HitDocument }): ReactNode {
  const words = strings.inspector;
  return picturesOf(document).map(({ field, address }) => (
    <Button
      key={address.href}
      size="compact-xs"
      variant="subtle"
      leftSection={<IconPhoto size={12} />}
      title={words.opensOutside(address.host)}
      aria-label={`${words.showPicture}: ${field}, ${address.host}`}
      onClick={() => openOutside(address.href)}
    >
      {words.showPicture}
    </Button>
  ));
}

function picturesOf(document: HitDocument): readonly { readonly field: string; readonly address: URL }[] {
  const found = new Map<string, { readonly field: string; readonly address: URL }>();
  const values = [...document].flatMap(([field, value]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => ({ field, value: one })),
  );
  for (const { field, value } of values.slice(0, MOST_LOOKED_AT)) {
    const address = typeof value === 'string' ? pictureAddress(value) : undefined;
    if (address !== undefined) found.set(address.href, { field, address });
    if (found.size === MOST_PICTURES) break;
  }
  return [...found.values()];
}
