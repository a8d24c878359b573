// Installs a driver in a process of its own, whose environment decides which certificate authorities count.
import { createPackageHost } from './packageHost.ts';

const [home = '', registryUrl = '', key = ''] = process.argv.slice(2);
const host = await createPackageHost({ home, env: process.env, registries: () => [{ id: 'x', url: registryUrl, name: 'X' }] });
await host.trust.trust(JSON.parse(key) as { id: string; name: string; publicKey: string });
try {
  const { version } = await host.install('tiny');
  process.stdout.write(version);
} catch (error) {
  process.stdout.write(error instanceof Error ? error.message : String(error));
} finally {
  await host.stop();
}
