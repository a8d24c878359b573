import type { Command } from 'commander';
import { z } from 'zod';
import { openInBrowser } from '../../web/openWindow.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { print, warn, wholeNumber } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const documentationAnswer = new JsonAnswer(z.object({ url: z.string(), version: z.string() }));

interface DocumentationWords extends JsonOption {
  readonly port?: number;
  readonly open: boolean;
}

export function addDocumentationCommand(program: Command, context: ProgramContext): void {
  program
    .command('docs')
    .description('serve the documentation of this version to this computer and open it in the browser, until it is interrupted')
    .option('--port <n>', 'the port (default: any that is free)', wholeNumber('--port', 0, 65_535))
    .option('--no-open', 'open no browser: only print the address')
    .addOption(documentationAnswer)
    .action(async (options: DocumentationWords) => {
      const { version } = context;
      await context.serveDocumentation(options.port ?? 0, async (url) => {
        const text = `The documentation of Tabularium ${version} is at ${url}\nCtrl-C ends it.\n`;
        await print(context, options, documentationAnswer, { url, version }, () => text);
        if (!options.open || (await openInBrowser({ address: url, env: context.env }))) return;
        if (options.json !== true) await warn(context, 'No browser could be opened. Open the address yourself.');
      });
    });
}
