/** The words about drivers that somebody is developing beside the window. */
export const development = {
  region: 'Driver in development',
  buildFailed: (driver: string): string => `${driver} failed to build`,
  buildFailedHelp: 'The last working build keeps running.',
  notLoaded: (driver: string): string => `The new build of ${driver} was not loaded`,
  errors: (driver: string): string => `${driver} reported errors`,
  loaded: (driver: string, version: string): string => `${driver} ${version} is loaded from its folder.`,
  notReopened: (connection: string, reason: string): string => `“${connection}” couldn't be opened with the new build. ${reason}`,
};
