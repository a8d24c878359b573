import {
  acceptedContent,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  completable,
} from '@modelcontextprotocol/server';
import type { CallToolResult, ClientCapabilities, ServerContext, ServerEvent } from '@modelcontextprotocol/server';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { SUPPORTED_VERSIONS } from '../../../host/src/runtime/mcp/server/codes.ts';
import type { ProtocolEra } from '../../../host/src/runtime/mcp/server/protocolServer.ts';

// The public conformance package expects a server with these tools in order to try every part of the protocol. The server runs behind the
// application's own request guard, so that the guard is tried.

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const says = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

const DESCRIBED = { description: 'For the conformance package.' } as const;

const JSON_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

const WITH_HEADER = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  required: ['region'],
} as const;

const state = createRequestStateCodec<{ round: number }>({ key: randomBytes(32), ttlSeconds: 300 });

const elicit = (message: string, properties: Record<string, { type: 'string' } | { type: 'boolean' }>, required: string[]) =>
  inputRequired.elicit({ mode: 'form', message, requestedSchema: { type: 'object', properties, required } });
const askName = () => elicit('What is your name?', { name: { type: 'string' } }, ['name']);
const sample = (text: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });
const nameSchema = z.object({ name: z.string() });

function capabilitiesOf(context: ServerContext): ClientCapabilities {
  const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
  return envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {};
}

/** @param publish - notifies open subscriptions of a change */
export function createFixtureServer(era: ProtocolEra, publish: (event: ServerEvent) => void): McpServer {
  const mcp = new McpServer(
    { name: 'tabularium-conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: era === 'stateless' },
        resources: { listChanged: era === 'stateless', subscribe: true },
        prompts: { listChanged: era === 'stateless' },
        completions: {},
        logging: {},
      },
      supportedProtocolVersions: [...SUPPORTED_VERSIONS],
      requestState: { verify: state.verify },
    },
  );
  contentTools(mcp);
  reportingTools(mcp, publish);
  askingTools(mcp);
  inputRequiredTools(mcp);
  resources(mcp);
  prompts(mcp);
  if (era === 'session') {
    mcp.server.setRequestHandler('resources/subscribe', () => ({}));
    mcp.server.setRequestHandler('resources/unsubscribe', () => ({}));
  }
  return mcp;
}

function contentTools(mcp: McpServer): void {
  mcp.registerTool('test_simple_text', DESCRIBED, () => says('This is a simple text response for testing.'));
  mcp.registerTool('test_image_content', DESCRIBED, () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }));
  mcp.registerTool('test_audio_content', DESCRIBED, () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }));
  mcp.registerTool('test_embedded_resource', DESCRIBED, () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }));
  mcp.registerTool('test_multiple_content_types', DESCRIBED, () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}' },
      },
    ],
  }));
  mcp.registerTool('test_error_handling', DESCRIBED, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  mcp.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Tool with JSON Schema 2020-12 features', inputSchema: fromJsonSchema(JSON_SCHEMA) },
    () => says('ok'),
  );
  mcp.registerTool(
    'test_x_mcp_header',
    {
      ...DESCRIBED,
      inputSchema: fromJsonSchema(WITH_HEADER),
    },
    () => says('ok'),
  );
}

function reportingTools(mcp: McpServer, publish: (event: ServerEvent) => void): void {
  mcp.registerTool('test_tool_with_logging', DESCRIBED, async (context) => {
    for (const [index, text] of ['Tool execution started', 'Tool processing data', 'Tool execution completed'].entries()) {
      if (index > 0) await pause(50);
      await context.mcpReq.log('info', text);
    }
    return says('Logged.');
  });
  mcp.registerTool('test_logging_tool', DESCRIBED, async (context) => {
    await context.mcpReq.log('info', 'only when it was asked for');
    return says('Logged.');
  });
  mcp.registerTool('test_tool_with_progress', DESCRIBED, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    if (progressToken === undefined) return says('Nobody wants to know.');
    for (const progress of [0, 50, 100]) {
      if (progress > 0) await pause(50);
      await context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    }
    return says('Done.');
  });
  mcp.registerTool('test_trigger_tool_change', DESCRIBED, () => {
    publish({ kind: 'tools_list_changed' });
    return says('Changed.');
  });
  mcp.registerTool('test_trigger_prompt_change', DESCRIBED, () => {
    publish({ kind: 'prompts_list_changed' });
    return says('Changed.');
  });
  mcp.registerTool('test_reconnection', DESCRIBED, async (context) => {
    context.http?.closeSSE?.();
    await pause(100);
    return says('Reconnected.');
  });
}

function askingTools(mcp: McpServer): void {
  mcp.registerTool('test_missing_capability', DESCRIBED, () =>
    inputRequired({ inputRequests: { question: sample('Anything?', 10) } }),
  );
  mcp.registerTool(
    'test_sampling',
    { ...DESCRIBED, inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, context) => {
      const answer = await context.mcpReq.send({
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens: 100 },
      });
      return says(`LLM response: ${JSON.stringify(answer.content)}`);
    },
  );
  const eliciting = (name: string, message: string, requestedSchema: object): void => {
    mcp.registerTool(name, { ...DESCRIBED, inputSchema: z.object({ message: z.string().optional() }) }, async (args, context) => {
      const answer = await context.mcpReq.send({
        method: 'elicitation/create',
        params: { mode: 'form', message: args.message ?? message, requestedSchema },
      });
      return says(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
    });
  };
  eliciting('test_elicitation', 'Please answer.', {
    type: 'object',
    properties: { username: { type: 'string' }, email: { type: 'string' } },
    required: ['username', 'email'],
  });
  eliciting('test_elicitation_sep1034_defaults', 'Please review.', {
    type: 'object',
    properties: {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
  });
  const titled = (prefix: string, titles: readonly string[]) =>
    titles.map((title, index) => ({ const: `${prefix}${index + 1}`, title }));
  eliciting('test_elicitation_sep1330_enums', 'Please choose.', {
    type: 'object',
    properties: {
      untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
      titledSingle: { type: 'string', oneOf: titled('value', ['First Option', 'Second Option', 'Third Option']) },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
      titledMulti: { type: 'array', items: { anyOf: titled('value', ['First Choice', 'Second Choice', 'Third Choice']) } },
    },
  });
}

function inputRequiredTools(mcp: McpServer): void {
  mcp.registerTool('test_input_required_result_elicitation', DESCRIBED, (context) => {
    const answer = acceptedContent(context.mcpReq.inputResponses, 'user_name', nameSchema);
    return answer === undefined ? inputRequired({ inputRequests: { user_name: askName() } }) : says(`Hello, ${answer.name}!`);
  });
  mcp.registerTool('test_streaming_elicitation', DESCRIBED, () => inputRequired({ inputRequests: { user_name: askName() } }));
  mcp.registerTool('test_input_required_result_sampling', DESCRIBED, (context) => {
    const answer = inputResponse(context.mcpReq.inputResponses, 'capital_question');
    return answer.kind === 'sampling'
      ? says(JSON.stringify(answer.result.content))
      : inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?', 100) } });
  });
  mcp.registerTool('test_input_required_result_list_roots', DESCRIBED, (context) => {
    const answer = inputResponse(context.mcpReq.inputResponses, 'client_roots');
    return answer.kind === 'roots'
      ? says(`Roots: ${answer.roots.map(({ uri }) => uri).join(', ')}`)
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  const confirm = () => elicit('Please confirm', { ok: { type: 'boolean' } }, ['ok']);
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state']) {
    mcp.registerTool(name, DESCRIBED, async (context) => {
      const round = context.mcpReq.requestState<{ round: number }>()?.round;
      return round === 1
        ? says('state-ok')
        : inputRequired({ inputRequests: { confirm: confirm() }, requestState: await state.mint({ round: 1 }) });
    });
  }
  mcp.registerTool('test_input_required_result_multiple_inputs', DESCRIBED, async (context) => {
    const { inputResponses } = context.mcpReq;
    const complete =
      inputResponse(inputResponses, 'user_name').kind === 'elicit' &&
      inputResponse(inputResponses, 'greeting').kind === 'sampling' &&
      inputResponse(inputResponses, 'client_roots').kind === 'roots';
    if (complete) return says('All inputs are here.');
    return inputRequired({
      inputRequests: {
        user_name: askName(),
        greeting: sample('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await state.mint({ round: 1 }),
    });
  });
  mcp.registerTool('test_input_required_result_multi_round', DESCRIBED, async (context) => {
    const round = context.mcpReq.requestState<{ round: number }>()?.round ?? 0;
    if (round === 2) return says('Both steps are done.');
    const step = round === 0 ? 'step1' : 'step2';
    const request =
      round === 0
        ? elicit('Step 1: What is your name?', { name: { type: 'string' } }, ['name'])
        : elicit('Step 2: What is your favorite color?', { color: { type: 'string' } }, ['color']);
    return inputRequired({ inputRequests: { [step]: request }, requestState: await state.mint({ round: round + 1 }) });
  });
  mcp.registerTool('test_input_required_result_capabilities', DESCRIBED, (context) => {
    const capabilities = capabilitiesOf(context);
    const answered = Object.keys(context.mcpReq.inputResponses ?? {}).length > 0;
    if (answered) return says('Done.');
    return inputRequired({
      inputRequests: {
        ...(capabilities.sampling === undefined ? {} : { question: sample('What is the capital of France?', 100) }),
        ...(capabilities.elicitation === undefined ? {} : { user_name: askName() }),
      },
      requestState: 'none',
    });
  });
}

function resources(mcp: McpServer): void {
  mcp.registerResource('static-text', 'test://static-text', { ...DESCRIBED, mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  mcp.registerResource('static-binary', 'test://static-binary', { ...DESCRIBED, mimeType: 'image/png' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'image/png', blob: PNG }],
  }));
  mcp.registerResource('watched', 'test://watched-resource', { ...DESCRIBED, mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Watched.' }],
  }));
  mcp.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { ...DESCRIBED, mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
}

function prompts(mcp: McpServer): void {
  mcp.registerPrompt('test_simple_prompt', DESCRIBED, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'This is a simple prompt for testing.' } }],
  }));
  const completed = completable(z.string(), (value) => ['hello', 'help', 'testValue1'].filter((word) => word.startsWith(value)));
  mcp.registerPrompt(
    'test_prompt_with_arguments',
    { ...DESCRIBED, argsSchema: z.object({ arg1: completed, arg2: z.string() }) },
    ({ arg1, arg2 }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` } }],
    }),
  );
  mcp.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...DESCRIBED, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
      ],
    }),
  );
  mcp.registerPrompt('test_prompt_with_image', DESCRIBED, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
    ],
  }));
  mcp.registerPrompt('test_input_required_result_prompt', DESCRIBED, (context) => {
    const answer = acceptedContent(context.mcpReq.inputResponses, 'user_context', z.object({ context: z.string() }));
    if (answer === undefined) {
      const request = elicit('What context should the prompt use?', { context: { type: 'string' } }, ['context']);
      return inputRequired({ inputRequests: { user_context: request } });
    }
    return { messages: [{ role: 'user', content: { type: 'text', text: `Context: ${answer.context}` } }] };
  });
}
