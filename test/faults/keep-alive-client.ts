import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A client that keeps its one connection as long as it is let, and tries nothing again. */
export class KeepAliveClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  answers = 0;
  /** Answers that announced the end of their connection. */
  closed = 0;
  readonly failures: string[] = [];
  /** Milliseconds of the slowest answer. */
  slowest = 0;

  constructor(private readonly token: string) {}

  /** Gives the text of the answer; any other status than the expected one is a failure, as is a broken connection. */
  async ask(expected: number, url: string, method = 'GET', body?: unknown): Promise<string> {
    const began = performance.now();
    try {
      const { status, connection, answer } = await this.send(url, method, body);
      if (connection === 'close') this.closed++;
      if (status !== expected) this.failures.push(`${method} ${url}: ${status} ${answer}`);
      this.answers++;
      this.slowest = Math.max(this.slowest, performance.now() - began);
      return answer;
    } catch (error) {
      this.failures.push(`${method} ${url} after ${Math.round(performance.now() - began)} ms: ${String(error)}`);
      return '';
    }
  }

  private send(
    url: string,
    method: string,
    body: unknown,
  ): Promise<{ status: number; connection: string | undefined; answer: string }> {
    return new Promise((settle, fail) => {
      const headers = {
        Authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      };
      const sent = request(url, { method, agent: this.agent, headers }, (response) => {
        text(response).then(
          (answer) => settle({ status: response.statusCode ?? 0, connection: response.headers.connection, answer }),
          fail,
        );
      });
      sent.once('error', fail).end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  end(): void {
    this.agent.destroy();
  }
}
