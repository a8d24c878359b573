/** The error of one bad request, as a person reads it. */
export interface ReadError {
  /** Of the recorded call. */
  readonly n: number;
  readonly asked: string;
  readonly code: string;
  readonly message: string;
  readonly advice: string;
}

/** The result of one run against a real server of a version, in the repository. */
export const badRequestsFile = (version: string): string => `tests/server/bad-requests.${version}.json`;
