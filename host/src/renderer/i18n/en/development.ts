/** The words about drivers that somebody is developing beside the window. */
export const development = {
  region: 'Driver in development',
  buildFailed: (driver: string): string => `${driver} does not build`,
  buildFailedHelp: 'The last build that worked goes on.',
  notLoaded: (driver: string): string => `The new build of ${driver} was not loaded`,
  errors: (driver: string): string => `${driver} reported errors`,
  loaded: (driver: string, version: string): string => `${driver} ${version} is loaded from its folder.`,
  notReopened: (connection: string, reason: string): string =>
    `“${connection}” could not be opened with the new build. ${reason}`,
};
