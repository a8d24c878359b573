import './serverInPage.test-helper.ts';
import '@mantine/core/styles.css';
import '../styles/global.css';
import '../styles/first-frame.css';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { cleanup } from 'vitest-browser-react';
import { page, server } from 'vitest/browser';
import { clearPast, notify } from '../state/notify.ts';
import { forgetApi } from './fakeApi.test-helper.ts';

// The start of every component test: a page that remembers nothing and has no host.

// A shared worker asks the host itself, so that the page could not answer in its place.
Reflect.deleteProperty(globalThis, 'SharedWorker');

// All files share one page, and a test of a small window leaves it small.
beforeAll(() => {
  const { width, height } = server.config.browser.viewport;
  return page.viewport(width, height);
});

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

afterEach(async () => {
  await cleanup();
  notify();
  clearPast();
  forgetApi();
});
