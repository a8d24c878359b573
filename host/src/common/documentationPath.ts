/** Where a window has the documentation of its version: relative to the window's own address, with a slash at its end. */
export const DOCUMENTATION_PATH = 'docs/';
