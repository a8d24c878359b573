import { createTheme } from '@mantine/core';
import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core';
import { strings } from '../i18n/index.ts';

// Every colour of the window is defined here, under a name that says what it means. Contrast of each text colour on each of its grounds is
// at least 4.5:1 (theme.test.ts).

interface Palette {
  /** The frame: title bar, sidebar, status. */
  readonly chrome: string;
  /** The ground of data and forms. */
  readonly surface: string;
  /** Floating layers. */
  readonly raised: string;
  readonly hover: string;
  readonly border: string;
  readonly borderSoft: string;
  readonly text: string;
  readonly muted: string;
  /** Marks that carry no text. */
  readonly faint: string;
  readonly accent: string;
  readonly accentSoft: string;
  readonly amber: string;
  readonly amberSoft: string;
  readonly red: string;
  readonly redSoft: string;
  readonly green: string;
  readonly greenSoft: string;
  readonly violet: string;
}

export const light: Palette = {
  chrome: '#f4f4f5',
  surface: '#ffffff',
  raised: '#ffffff',
  hover: '#ececee',
  border: '#d9dade',
  borderSoft: '#ebecee',
  text: '#1c1d20',
  muted: '#5c6068',
  faint: '#b3b6bc',
  accent: '#2459c8',
  accentSoft: '#e4ecfb',
  amber: '#835400',
  amberSoft: '#fcf1da',
  red: '#b3261e',
  redSoft: '#fcecea',
  green: '#18703a',
  greenSoft: '#e5f4ea',
  violet: '#6d3fc0',
};

export const dark: Palette = {
  chrome: '#1e1f21',
  surface: '#161719',
  raised: '#242528',
  hover: '#2a2b2e',
  border: '#3a3b3f',
  borderSoft: '#28292c',
  text: '#e3e4e6',
  muted: '#a3a6ad',
  faint: '#5c5f66',
  accent: '#86aefc',
  accentSoft: '#1f2c48',
  amber: '#e4b75c',
  amberSoft: '#332a17',
  red: '#ff8f86',
  redSoft: '#3a1f1d',
  green: '#74cb92',
  greenSoft: '#1a2f21',
  violet: '#bea0f5',
};

/** The colours that a connection can have. Dots only, so their contrast is that of a mark, 3:1. */
export const connectionColors = {
  gray: { light: '#777b83', dark: '#9a9ea6' },
  red: { light: '#d13b32', dark: '#f0776e' },
  orange: { light: '#c4600d', dark: '#f0994f' },
  yellow: { light: '#a07800', dark: '#e5c453' },
  green: { light: '#22894a', dark: '#5cc182' },
  teal: { light: '#0f8585', dark: '#45bdbd' },
  blue: { light: '#2f6fe0', dark: '#74a5ff' },
  violet: { light: '#7f4fd6', dark: '#b38fff' },
  pink: { light: '#c93a86', dark: '#f27fb8' },
} as const;

export type ConnectionColor = keyof typeof connectionColors;
export const connectionColorNames = Object.keys(connectionColors) as readonly ConnectionColor[];

export function dotVariable(color: ConnectionColor): string {
  return `var(--tb-dot-${color})`;
}

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function variables(palette: Palette, scheme: 'light' | 'dark'): Record<string, string> {
  const own = Object.entries(palette).map(([name, value]) => [`--tb-${kebab(name)}`, value] as const);
  const dots = connectionColorNames.map((name) => [`--tb-dot-${name}`, connectionColors[name][scheme]] as const);
  return {
    ...Object.fromEntries([...own, ...dots]),
    '--mantine-color-body': palette.surface,
    '--mantine-color-text': palette.text,
    '--mantine-color-dimmed': palette.muted,
    '--mantine-color-placeholder': palette.muted,
    '--mantine-color-error': palette.red,
    '--mantine-color-default': palette.raised,
    '--mantine-color-default-hover': palette.hover,
    '--mantine-color-default-color': palette.text,
    '--mantine-color-default-border': palette.border,
    '--mantine-color-disabled': palette.hover,
    '--mantine-color-disabled-color': palette.muted,
    '--mantine-color-disabled-border': palette.border,
    '--mantine-color-anchor': palette.accent,
  };
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: variables(light, 'light'),
  dark: variables(dark, 'dark'),
});

const accent: MantineColorsTuple = [
  '#eaf0fd',
  '#d3e0fa',
  '#a7c1f5',
  '#86aefc',
  '#5d8bea',
  '#3a6edb',
  '#2459c8',
  '#1e4cad',
  '#193f90',
  '#133174',
];
const red: MantineColorsTuple = [
  '#fcecea',
  '#f8d4d1',
  '#f2aca6',
  '#ff8f86',
  '#dd5b52',
  '#c9392f',
  '#b3261e',
  '#992019',
  '#7f1a14',
  '#65140f',
];

export const theme = createTheme({
  colors: { accent, red },
  primaryColor: 'accent',
  primaryShade: 6,
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif",
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', 'Liberation Mono', 'DejaVu Sans Mono', monospace",
  // One scale: 12, 13, 15, 20. Controls are of size xs, so their text is the window's ordinary 13.
  fontSizes: { xs: '13px', sm: '13px', md: '13px', lg: '15px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.4', md: '1.4', lg: '1.4', xl: '1.3' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '32px' },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { size: 28, variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: {
      // A function, because the language of the window is loaded after this module. Without a label the button has Mantine's English one.
      defaultProps: () => ({
        size: 'xs',
        inputWrapperOrder: ['label', 'input', 'error', 'description'],
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { 'aria-label': strings.form.secret.show },
      }),
    },
    NativeSelect: { defaultProps: { size: 'xs' } },
    Select: {
      // The library hides the button that clears it from the keyboard, and has no key for it.
      defaultProps: () => ({
        size: 'xs',
        allowDeselect: false,
        checkIconPosition: 'right',
        clearButtonProps: { tabIndex: 0, 'aria-hidden': false, 'aria-label': strings.common.clear },
      }),
    },
    Switch: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs', transitionDuration: 100 } },
    // The page itself never scrolls, so nothing has to be locked; the lock would write a style element without our nonce.
    Modal: {
      defaultProps: {
        lockScroll: false,
        // The library's <header> of a dialog would be a second banner of the page.
        attributes: { header: { role: 'none' } },
        radius: 'md',
        transitionProps: { transition: 'fade', duration: 100 },
        overlayProps: { opacity: 0.35 },
      },
    },
    Drawer: { defaultProps: { lockScroll: false, transitionProps: { duration: 100 } } },
    Menu: { defaultProps: { transitionProps: { duration: 80 }, shadow: 'md', radius: 'md' } },
    Popover: { defaultProps: { transitionProps: { duration: 80 }, shadow: 'md' } },
    Tooltip: {
      defaultProps: {
        openDelay: 400,
        transitionProps: { duration: 80 },
        fz: 12,
        px: 8,
        py: 4,
        multiline: true,
        maw: 320,
        withinPortal: true,
      },
    },
  },
});
