import { DOCUMENTATION_PATH } from '../../common/documentationPath.ts';

/** Opens the documentation of this version, which the host serves beside the window. */
export function openDocumentation(): void {
  // Without an opener: the pages have no way back into the window.
  window.open(new URL(DOCUMENTATION_PATH, window.location.href), '_blank', 'noopener');
}
