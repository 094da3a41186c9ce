import { Injectable } from '@nestjs/common';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { apiRequest, ArgumentFault, type ApiRequest } from '../../../formats/html/openapi/operation-request.js';
import type { OperationTool } from '../../../formats/html/openapi/operation-tool.js';
import { resumed } from '../../../kernel/common/context.js';
import { said } from '../../../kernel/platform/mcp/stateless-server.js';
import { OutboundError } from '../../../kernel/platform/outbound/outbound-error.js';
import { Outbound } from '../../../kernel/platform/outbound/outbound.js';
import { addressGroup } from '../../../kernel/platform/rate-limit/rate-limit.js';

/** Milliseconds for a whole call. */
const TIMEOUT = 20_000;
/** Bytes of an answer that are shown; the rest is not read. */
const MAX_ANSWER = 50_000;
const MAX_HEADER = 500;
/** Calls of this server at the same time, and those of one address among them. */
const AT_ONCE = 20;
const AT_ONCE_OF_ADDRESS = 4;
const SHOWN_HEADERS = ['content-type', 'location', 'link', 'retry-after'] as const;
const TEXT =
  /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml)\b|application\/(x-yaml|x-ndjson|javascript|graphql|x-www-form-urlencoded)\b)/i;

/** Calls operations of APIs for agents: with nothing of this service but its address, and within limits. */
@Injectable()
export class OperationCaller {
  private readonly running = new Map<string, number>();
  private total = 0;

  constructor(private readonly outbound: Outbound) {}

  /** The answer of an operation; whatever goes wrong is a result that says so. */
  async call(tool: OperationTool, given: Readonly<Record<string, unknown>>, ip: string): Promise<CallToolResult> {
    const address = addressGroup(ip);
    const own = this.running.get(address) ?? 0;
    if (own >= AT_ONCE_OF_ADDRESS || this.total >= AT_ONCE)
      return failed('Other calls of APIs are still under way: try again when they have ended.');
    this.running.set(address, own + 1);
    this.total += 1;
    try {
      return await this.answer(apiRequest(tool, given));
    } catch (error) {
      if (error instanceof ArgumentFault) return failed(error.message);
      if (error instanceof OutboundError) return failed(`The API has not answered: ${error.message}.`);
      throw error;
    } finally {
      this.total -= 1;
      const left = (this.running.get(address) ?? 1) - 1;
      if (left > 0) this.running.set(address, left);
      else this.running.delete(address);
      resumed();
    }
  }

  private async answer({ url, method, headers, authorization, body }: ApiRequest): Promise<CallToolResult> {
    const response = await this.outbound.open(url, {
      method,
      headers,
      ...(authorization !== undefined && { credentials: { authorization } }),
      ...(body !== undefined && { body: Buffer.from(body) }),
      httpsOnly: 'in-public',
      // An address that the operator has not allowed is not reached by way of one that is.
      redirects: 0,
      timeout: TIMEOUT,
      maxBytes: Number.MAX_SAFE_INTEGER,
    });
    const type = response.headers['content-type'] ?? '';
    const isText = type === '' || TEXT.test(type);
    const { bytes, isCut } = await beginningOf(response.body as AsyncIterable<Buffer>, isText ? MAX_ANSWER : 0);
    const head = [
      `${response.status} ${response.statusText}`.trim(),
      ...SHOWN_HEADERS.flatMap((name) => {
        const value = response.headers[name];
        return value === undefined ? [] : `${name}: ${value}`;
      }),
    ].map((line) => line.slice(0, MAX_HEADER));
    const parts = [
      head.join('\n'),
      decoded(bytes, type, isCut),
      ...(isCut ? [isText ? `(Only the first ${MAX_ANSWER} bytes are shown.)` : '(The answer is not text.)'] : []),
    ].filter((part) => part !== '');
    return { ...said(parts.join('\n\n')), ...(response.status >= 300 && response.status !== 304 && { isError: true }) };
  }
}

const failed = (message: string): CallToolResult => ({ ...said(message), isError: true });

/** The first bytes of a body; the rest is not waited for. */
async function beginningOf(
  body: AsyncIterable<Buffer>,
  limit: number,
): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), isCut: size > limit };
}

function decoded(bytes: Buffer, type: string, isCut: boolean): string {
  const [, charset = 'utf-8'] = /charset="?([\w.:-]+)/i.exec(type) ?? [];
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(charset);
  } catch {
    decoder = new TextDecoder();
  }
  // The half of a character at the end of a part is left out.
  return decoder.decode(bytes, { stream: isCut });
}
