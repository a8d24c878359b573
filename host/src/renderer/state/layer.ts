import type { SavedConnection } from '../../common/connection.ts';

/** The sections, by which the dialog is opened. */
export type SettingsSection = 'appearance' | 'drivers' | 'integrations' | 'data' | 'about';

/** The layer over the window. */
export type Layer =
  | { readonly is: 'new' | 'import' | 'export' }
  | { readonly is: 'edit' | 'rename' | 'remove' | 'duplicate' | 'group'; readonly connection: SavedConnection }
  | { readonly is: 'settings'; readonly section: SettingsSection };
