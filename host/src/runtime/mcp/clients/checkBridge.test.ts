import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkBridge } from './checkBridge.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-check-bridge-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The check of a bridge that runs these lines of a shell. */
async function checked(...lines: readonly string[]): Promise<unknown> {
  const bridge = join(folder, 'bridge');
  writeFileSync(bridge, `#!/bin/sh\n${lines.join('\n')}\n`);
  chmodSync(bridge, 0o700);
  return checkBridge(bridge, process.env, AbortSignal.timeout(200_000));
}

describe('a bridge that fails its check is reported with a sentence that a window translates', () => {
  it('when it ends', async () => {
    expect(await checked('exit 0')).toEqual({
      ok: false,
      layer: 'launch',
      message: 'The bridge ended without a response.',
      origin: { sentence: { id: 'bridgeEnded', values: {} } },
    });
  });

  it('when it ends with a message of its own', async () => {
    expect(await checked('echo "No home." >&2')).toMatchObject({
      message: 'No home.',
      origin: { sentence: { id: 'bridgeReported', values: { message: 'No home.' } } },
    });
  });

  it('when it writes other lines', async () => {
    expect(await checked('echo hello', 'cat > /dev/null')).toMatchObject({ origin: { sentence: { id: 'bridgeOtherOutput' } } });
  });

  it('when it answers with an error', async () => {
    const error = '{"id":1,"error":{"message":"It is off.","data":{"layer":"policy"}}}';
    expect(await checked('read line', `echo '${error}'`, 'cat > /dev/null')).toMatchObject({
      layer: 'policy',
      message: 'It is off.',
      origin: { sentence: { id: 'bridgeReported' } },
    });
  });

  it("when it can't be started", async () => {
    const bridge = join(folder, 'none');
    expect(await checkBridge(bridge, process.env, AbortSignal.timeout(200_000))).toMatchObject({
      origin: { sentence: { id: 'bridgeNotStarted', values: { bridge } } },
    });
  });

  it("when it doesn't respond", async () => {
    writeFileSync(join(folder, 'silent'), '#!/bin/sh\ncat > /dev/null\n', { mode: 0o700 });
    const stop = new AbortController();
    const answer = checkBridge(join(folder, 'silent'), process.env, stop.signal);
    stop.abort();
    expect(await answer).toMatchObject({ origin: { sentence: { id: 'bridgeSilent', values: { seconds: '30' } } } });
  });
});
