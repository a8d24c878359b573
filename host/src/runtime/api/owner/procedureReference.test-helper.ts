import { manifestSchema } from '@tabularium/sdk/manifest';
import type { AnyRouter } from '@trpc/server';
import { PAGE_PATH, pageAnswerHeadSchema, readPageSchema } from '../../../common/api.ts';
import { boundaryShapes } from '../../../common/boundaryShapes.test-helper.ts';
import { UPLOAD_PATH } from '../../../common/imports.ts';
import { WINDOW_EXPORT_PATH, windowExportSchema } from '../../../common/transfer.ts';
import { RUN_PATH, runLineSchema, runStatementSchema } from '../../../common/console.ts';
import { installedDriverSchema } from '../../../common/drivers.ts';
import { DRIVER_FILE_PATH } from '../../../common/driversApi.ts';
import { ShapeWriter } from '../../../common/shapeText.test-helper.ts';
import { outputsOf } from '../procedureAnswer.ts';
import { inputsOf } from '../boundInputs.ts';

/** The page of all procedures of the API, in Markdown. @param window - the router that a window is served */
export function procedureReference(owner: AnyRouter, window: AnyRouter): string {
  const writer = new ShapeWriter([...boundaryShapes, { manifestSchema }]);
  const inputs = inputsOf(owner);
  const outputs = outputsOf(owner);
  const windows = new Set(Object.keys(window._def.procedures as object));
  const procedures = owner._def.procedures as Readonly<Record<string, { readonly _def: { readonly type: string } }>>;
  const areas = Map.groupBy(Object.keys(procedures).sort(), (path) => path.slice(0, Math.max(0, path.lastIndexOf('.'))));

  const row = (path: string): string => {
    const callers = windows.has(path) ? 'window, owner' : 'owner';
    const input = (inputs.get(path) ?? []).map((schema) => writer.parts(schema, 'input')).join(' & ');
    const output = outputs.get(path);
    if (output === undefined) throw new Error(`${path} has no output schema.`);
    const shape = output.schema.def.type === 'void' ? '' : writer.text(output.schema, 'output');
    const answer = `${output.stream === true ? 'stream of ' : ''}${code(shape)}`;
    return `| \`${path}\` | ${procedures[path]?._def.type ?? ''} | ${callers} | ${code(input)} | ${answer} |`;
  };
  const sections = [...areas].map(
    ([area, paths]) =>
      `## \`${area}\`\n\n| Procedure | Kind | Callers | Input | Output |\n| --- | --- | --- | --- | --- |\n${paths.map(row).join('\n')}`,
  );
  const beside = [
    `- \`POST ${PAGE_PATH}\` reads a page of rows: ${code(writer.text(readPageSchema, 'input'))}. The answer is one line of JSON, ${code(writer.text(pageAnswerHeadSchema, 'output'))}, then the rows as the driver encoded them.`,
    `- \`POST ${RUN_PATH}\` runs a statement: ${code(writer.text(runStatementSchema, 'input'))}. The answer is JSON lines, each ${code(writer.text(runLineSchema, 'output'))}.`,
    `- \`POST ${WINDOW_EXPORT_PATH}\` exports rows into a file that the window saves: ${code(writer.text(windowExportSchema, 'input'))}. The answer is the content of the file; it breaks off where the export does not end well.`,
    `- \`POST ${UPLOAD_PATH}\` with \`id\` and \`offset\` takes the body as a piece of a file that \`imports.openUpload\` has announced.`,
    `- \`POST ${DRIVER_FILE_PATH}\` installs the archive that is the body. The answer is ${code(writer.text(installedDriverSchema, 'output'))}. \`GET\` with \`driver\` and \`version\` answers with an installed driver as an archive.`,
  ].join('\n');
  const shapes = writer.described().map(({ name, parts }) => `### \`${name}\`\n\n\`\`\`text\n${parts}\n\`\`\``);
  return [
    '# The procedures of the API',
    '<!-- Generated from the router by "npm run api". Change that, not this page. -->',
    'Window and commands call one router. A window reaches the procedures that name it as a caller; the owner of the data directory reaches all of them over [the socket of the host](host-socket.md).',
    'The procedures belong to the application and change with it; only those that [the socket’s page](host-socket.md) describes are kept for tools. A query reads, a mutation changes something or runs something, and a subscription reports events until the caller ends it. `?` marks what may be left out. A name that begins with a capital letter is [a shape](#shapes) at the end of the page. The host checks every input, and every output that it made itself; data that a driver sent was checked when it arrived, so an answer passes it on.',
    ...sections,
    '## Beside the router',
    beside,
    '## Shapes',
    'The same schemas check the answers, give the window and the commands their types, and give this page its shapes.',
    ...shapes,
  ].join('\n\n');
}

function code(text: string): string {
  return text === '' ? 'none' : `\`${text.replaceAll('|', '\\|')}\``;
}
