import type { FakeContext } from './fakeContext.test-helper.ts';

/** The first steps in a data directory, in memory. */
export function fakeFirstRun(isNew: boolean, samples: readonly string[]): FakeContext['firstRun'] {
  let offersTour = isNew;
  const get = () => ({ offersTour, samples: isNew ? [...samples] : [] });
  return {
    get,
    noteTour: () => {
      offersTour = false;
      return get();
    },
  };
}
