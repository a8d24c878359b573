/** Playwright's own list (chromiumArguments.test.ts compares them): Chromium takes the last `--disable-features`, not their sum. */
export const PLAYWRIGHTS_DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/**
 * Pages of the address bar, which no test sees: Chromium loads them for each window, in a process of their own. Without them, opening the window of
 * Tabularium takes 1.7 s of processor time in place of 2.6 s.
 */
const ADDRESS_BAR_FEATURES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];

/** The command line of every Chromium that this repository starts. */
export const CHROMIUM_ARGUMENTS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...PLAYWRIGHTS_DISABLED_FEATURES, ...ADDRESS_BAR_FEATURES].join(',')}`,
];

/**
 * That of tests, which measure nothing. No page of a test lives long enough for code that is optimized: to compile it, in threads beside the page, took
 * a sixth of the processor time. And pages of one site share a process as long as one of them is open: a process for each took as much again.
 */
export const TEST_CHROMIUM_ARGUMENTS: readonly string[] = [
  ...CHROMIUM_ARGUMENTS,
  '--js-flags=--no-maglev --no-opt',
  '--process-per-site',
];
