import { keysText, onMac } from '../../commands/keys.ts';
import { keysOf } from '../../../common/keyMap.ts';
import type { KeyId } from '../../../common/keyMap.ts';
import { inDesktop } from '../../commands/registry.ts';

/** The keys of an entry of the keyboard map, as a menu shows them. @param which - one of several ways */
export function keyText(id: KeyId, which = 0): string {
  return keysText(keysOf(id, inDesktop())[which] ?? '', onMac());
}
