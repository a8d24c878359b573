/** The host names secure stores with an English article ("the Keychain"), which no German sentence can hold. */
export const storeName = (name: string): string => name.replace(/^the /iu, '');
