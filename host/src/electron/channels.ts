/** The messages between preload and main. Everything else travels through the custom protocol. */
export const chooseFileChannel = 'tabularium:choose-file';
