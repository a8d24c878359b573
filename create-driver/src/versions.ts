/** The exact versions that a new project installs, because it was built and tested only with these. */
export const VERSIONS = {
  '@tabularium/sdk': '1.1.0',
  '@types/node': '26.6.6',
  // The bundler of tabularium-driver build. The project's own and not the SDK's, which tests and editors load without it.
  rolldown: '1.2.19',
  typescript: '7.0.2',
  // The newest line that runs on Node 20.
  vitest: '4.1.12',
} as const;
