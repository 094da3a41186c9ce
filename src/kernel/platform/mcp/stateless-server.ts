import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** A message to an MCP server, as it was sent. */
export interface McpMessage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Maximum length of a message that only reads, in bytes. */
export const MAX_MCP_MESSAGE = 64 * 1024;

export interface McpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Answers one message to a server that was made for it: without sessions each message stands alone (Model Context
 * Protocol, Streamable HTTP). `address` is that of the endpoint. The server is closed afterwards.
 */
export async function answerMcpMessage(
  server: McpServer,
  address: string,
  { body, headers }: McpMessage,
): Promise<McpResponse> {
  const parsed = parsedMessage(body);
  if (parsed === undefined || Array.isArray(parsed))
    return refusal(parsed === undefined ? 'Parse error: not JSON' : 'Invalid Request: batches are not supported');
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(new Request(address, { method: 'POST', headers, body }), {
      parsedBody: parsed,
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  } finally {
    await server.close();
  }
}

/** The result of a tool that says one text. */
export const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

function parsedMessage(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

const refusal = (message: string): McpResponse => ({
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    error: { code: message.startsWith('Parse') ? -32700 : -32600, message },
    id: null,
  }),
});
