const BASE64 = /^(?:[a-z0-9+/]{4})*(?:[a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?$/i;
/** As PostgreSQL writes bytes, and as most programs do. */
const BACKSLASH_HEX = /^\\x(?:[0-9a-f]{2})*$/i;
const ZERO_HEX = /^0x(?:[0-9a-f]{2})+$/i;
const BARE_HEX = /^(?:[0-9a-f]{2})+$/i;

/**
 * Bytes that were typed in base64, or in hexadecimal behind `\x` or `0x`. A text of hexadecimal digits alone, or behind `0x`, may be either, and is none
 * then.
 *
 * @returns in base64; or what is wrong
 */
export function typedBytes(text: string): { readonly base64: string } | 'bytes' | 'unclearBytes' {
  const typed = text.trim();
  if (BACKSLASH_HEX.test(typed)) return { base64: ofHex(typed) };
  if (BASE64.test(typed)) return ZERO_HEX.test(typed) || BARE_HEX.test(typed) ? 'unclearBytes' : { base64: typed };
  return ZERO_HEX.test(typed) ? { base64: ofHex(typed) } : 'bytes';
}

function ofHex(text: string): string {
  return btoa(text.slice(2).replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))));
}
