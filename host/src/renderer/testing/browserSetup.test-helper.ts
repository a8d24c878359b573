import './serverInPage.test-helper.ts';
import '@mantine/core/styles.css';
import '../styles/global.css';
import '../styles/first-frame.css';
import { afterEach, beforeEach } from 'vitest';
import { cleanup } from 'vitest-browser-react';
import { notify } from '../state/notify.ts';
import { forgetApi } from './fakeApi.test-helper.ts';

// The start of every component test: a page that remembers nothing and has no host.

// A shared worker asks the host itself, so that the page could not answer in its place.
Reflect.deleteProperty(globalThis, 'SharedWorker');

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

afterEach(async () => {
  await cleanup();
  notify();
  forgetApi();
});
