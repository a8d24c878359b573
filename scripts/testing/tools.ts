import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from '../paths.ts';
import { downloadInfluxd, findInfluxd } from './influxd.ts';
import { onPath } from './onPath.ts';
import { findSshd } from './sshd.ts';

/** Chromium without the parts that draw its own windows: what a page does is the same, for two thirds of the processor time. */
const HEADLESS_SHELL = 'chromium-headless-shell';

/** The Chromium that tests drive: the system's, else the one that Playwright has downloaded. */
export function findChromium(): string | undefined {
  const own = chromium.executablePath();
  return onPath(HEADLESS_SHELL) ?? onPath('chromium') ?? (own !== '' && existsSync(own) ? own : undefined);
}

/** Runs the tests of the credential store against a real Secret Service. */
const secretServicePrograms = ['dbus-run-session', 'gnome-keyring-daemon', 'secret-tool'];

export function hasSecretService(): boolean {
  return secretServicePrograms.every((program) => onPath(program) !== undefined);
}

/** Opens an address with its program, on a Linux desktop. */
const openerPrograms = ['xdg-open', 'xdg-mime'];

export function hasOpener(): boolean {
  return process.platform !== 'linux' || openerPrograms.every((program) => onPath(program) !== undefined);
}

/** Whether a test can have a small disk of its own, which it fills: mounting one needs root, and in a container more than that. Tried. */
export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-mount-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' }).status === 0;
  if (isMounted) spawnSync('umount', ['-l', folder], { stdio: 'ignore' });
  rmdirSync(folder);
  return isMounted;
}

/** The Debian packages that are missing, and why they are wanted. */
function missingPackages(): string[] {
  const missing: string[] = [];
  if (onPath(HEADLESS_SHELL) === undefined) missing.push(HEADLESS_SHELL);
  if (!hasSecretService()) missing.push('dbus', 'gnome-keyring', 'libsecret-tools');
  if (!hasOpener()) missing.push('xdg-utils');
  // Where an init system runs, the package would start an SSH server for everybody, at each start of the machine.
  if (findSshd() === undefined && !existsSync('/run/systemd/system')) missing.push('openssh-server', 'openssh-client');
  return missing;
}

/** Of one call of an installer: a mirror that doesn't answer ends there. */
const INSTALL_MILLISECONDS = 600_000;

function run(program: string, args: readonly string[]): boolean {
  const result = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: INSTALL_MILLISECONDS,
  });
  return result.status === 0;
}

/** Installs what tests need and the machine lacks, where that needs no question: as root on Debian, else Playwright's own browser. */
export function installTools(): void {
  installPackages();
  // After the lists of packages were brought up to date.
  if (findInfluxd() === undefined) downloadInfluxd();
}

function installPackages(): void {
  const missing = missingPackages();
  if (missing.length === 0) return;
  const mayInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version') && onPath('apt-get') !== undefined;
  if (mayInstall) {
    console.log(`Installing ${missing.join(', ')} for the tests.`);
    const install = (packages: readonly string[]): boolean =>
      run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages]);
    run('apt-get', ['update', '-q']);
    // Not every release has the shell as a package.
    if (!install(missing)) install(missing.map((name) => (name === HEADLESS_SHELL ? 'chromium' : name)));
  } else if (findChromium() === undefined) {
    console.log("Downloading Playwright's Chromium for the tests.");
    run(process.execPath, [join(root, 'node_modules/playwright-core/cli.js'), 'install', 'chromium']);
  }
}
