import { looksLike } from '../../../common/lookAlike.ts';

/** A name that means a certain key to people. */
export interface KnownName {
  readonly name: string;
  readonly keyId: string;
}

/** The host's own name for the registry on this machine: no publisher has this name. */
const RESERVED: readonly KnownName[] = [{ name: 'Local driver registry', keyId: '' }];

/**
 * The publisher whose name this name equals or looks like, although the key is another one: the first of the known ones, else a reserved name.
 *
 * @param known - the best known first
 * @returns undefined when there is none
 */
export function resembledName(publisher: KnownName, known: readonly KnownName[]): string | undefined {
  return [...known, ...RESERVED].find(
    ({ name, keyId }) => keyId !== publisher.keyId && name !== '' && looksLike(name, publisher.name),
  )?.name;
}
