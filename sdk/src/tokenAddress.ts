/** As URLs write them. */
const THIS_COMPUTER = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** The address of a token server, or why it isn't one. */
export type TokenAddress = { readonly url: URL; readonly problem?: undefined } | { readonly problem: string };

/** `https`, or `http` on this computer; without user name, password or fragment. */
export function tokenAddress(text: string): TokenAddress {
  if (!URL.canParse(text))
    return { problem: 'Enter the whole address of the token server, such as https://login.example/oauth2/token.' };
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && THIS_COMPUTER.has(url.hostname)))
    return { problem: 'The token server must have an address that begins with https://, because the client secret goes there.' };
  if (url.username !== '' || url.password !== '') return { problem: 'Remove the user name and the password from the address.' };
  if (url.hash !== '') return { problem: 'Remove the part of the address from "#" on.' };
  return { url };
}
