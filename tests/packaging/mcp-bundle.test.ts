import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { makeMcpBundle } from '../../scripts/package/mcpBundle.ts';
import type { McpBundle } from '../../scripts/package/mcpBundle.ts';
import { registryEntry } from '../../scripts/package/registryEntry.ts';
import { root, workFolder } from '../../scripts/paths.ts';
import { BridgeHome } from '../support/bridgeHome.ts';

const tool = join(root, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');

describe('the bundle for MCP clients', () => {
  let folder: string;
  let installed: string;
  let bundle: McpBundle;

  beforeAll(async () => {
    await buildStale({
      root,
      workFolder,
      targets: allTargets(root).filter(({ group }) => group === 'host'),
      log: () => undefined,
    });
    folder = mkdtempSync(join(tmpdir(), 'tabularium bundle '));
    bundle = await makeMcpBundle({ root, output: folder });
    // As a client installs it.
    installed = join(folder, 'installed here');
    execFileSync(process.execPath, [tool, 'unpack', bundle.file, installed]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is valid for its own tool, says what it is, and leaves nothing else behind', () => {
    expect(execFileSync(process.execPath, [tool, 'validate', join(installed, 'manifest.json')], { encoding: 'utf8' })).toMatch(
      /passes/,
    );
    expect(JSON.parse(readFileSync(join(installed, 'manifest.json'), 'utf8'))).toMatchObject({
      name: 'tabularium',
      version: bundle.version,
      license: 'MIT',
      icon: 'icon.png',
    });
    expect(readdirSync(installed).toSorted()).toEqual([
      'LICENSE',
      'THIRD-PARTY-NOTICES.txt',
      'icon.png',
      'manifest.json',
      'sbom.cdx.json',
      'server',
    ]);
    expect(readFileSync(join(installed, 'icon.png')).subarray(1, 4).toString()).toBe('PNG');
    expect(readdirSync(folder).toSorted()).toEqual(['installed here', `tabularium-${bundle.version}.mcpb`]);
  });

  it('is the same file each time, in every time zone', async () => {
    const again = mkdtempSync(join(tmpdir(), 'tabularium bundle '));
    const zone = process.env['TZ'];
    try {
      // Two seconds are the step of an archive's times.
      await new Promise((resolve) => setTimeout(resolve, 2_100));
      process.env['TZ'] = 'Pacific/Kiritimati';
      const second = await makeMcpBundle({ root, output: again });
      expect(readFileSync(second.file).equals(readFileSync(bundle.file))).toBe(true);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
      rmSync(again, { recursive: true });
    }
  });

  it.each([
    ['a name', 'tabularium', 'https://downloads.example/a.mcpb', 'a domain backwards'],
    ['an address', 'io.github.me/tabularium', 'https://downloads.example/a.zip', 'ends with .mcpb'],
  ])('is not made, and nothing is replaced, for %s that the registry refuses', (_of, name, url, reason) => {
    const output = mkdtempSync(join(tmpdir(), 'tabularium bundle '));
    try {
      writeFileSync(join(output, 'server.json'), 'of the bundle before');
      const words = ['--output', output, '--registry-name', name, '--download-url', url];
      const { status, stderr } = spawnSync(
        process.execPath,
        ['--conditions=tabularium:source', join(root, 'scripts/package.ts'), ...words],
        { encoding: 'utf8' },
      );
      expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
      expect(stderr).toContain(reason);
      expect(readdirSync(output)).toEqual(['server.json']);
      expect(readFileSync(join(output, 'server.json'), 'utf8')).toBe('of the bundle before');
    } finally {
      rmSync(output, { recursive: true });
    }
  });

  it('reaches the running application as its manifest says', async () => {
    await using home = await BridgeHome.create();
    await home.startHost();
    const { server } = JSON.parse(readFileSync(join(installed, 'manifest.json'), 'utf8')) as {
      server: { mcp_config: { command: string; args: string[] } };
    };
    expect(server.mcp_config.command).toBe('node');
    const args = server.mcp_config.args.map((argument) => argument.replace('${__dirname}', installed));
    const client = new Client({ name: 'bundled', version: '1' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: home.env() }));
    try {
      expect(client.getServerVersion()).toMatchObject({ title: 'Tabularium', icons: [{ mimeType: 'image/png' }] });
      expect(await client.callTool({ name: 'list_connections' })).toMatchObject({ content: [{ type: 'text' }] });
    } finally {
      await client.close();
    }
  });

  it('has an entry for the MCP registry with the digest of its file, and none for a name or an address that the registry refuses', async () => {
    const downloadUrl = `https://downloads.example/tabularium-${bundle.version}.mcpb`;
    const entry = await registryEntry(bundle, { name: 'io.github.me/tabularium', downloadUrl });
    const fileSha256 = createHash('sha256').update(readFileSync(bundle.file)).digest('hex');
    expect(entry).toMatchObject({
      name: 'io.github.me/tabularium',
      version: bundle.version,
      packages: [{ registryType: 'mcpb', identifier: downloadUrl, fileSha256, transport: { type: 'stdio' } }],
    });
    await expect(registryEntry(bundle, { name: 'tabularium', downloadUrl })).rejects.toThrow(/a domain backwards/);
    await expect(
      registryEntry(bundle, { name: 'io.github.me/tabularium', downloadUrl: 'http://downloads.example/a.mcpb' }),
    ).rejects.toThrow(/https/);
    await expect(
      registryEntry(bundle, { name: 'io.github.me/tabularium', downloadUrl: 'https://downloads.example/a.zip' }),
    ).rejects.toThrow(/ends with \.mcpb/);
  });
});
