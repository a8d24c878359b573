/** The messages between preload and main. Everything else travels through the custom protocol. */
export const chooseFileChannel = 'tabularium:choose-file';
export const newWindowChannel = 'tabularium:new-window';
export const closeQuestionChannel = 'tabularium:close-question';
export const commandChannel = 'tabularium:command';
