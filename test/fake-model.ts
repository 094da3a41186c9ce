import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model that answers as a test wants, and remembers what it was asked. */
export class FakeModel {
  asked: { messages: { role: string; content: string }[] }[] = [];
  reply: (body: { messages: { content: string }[] }) => unknown = () => ({});
  status = 200;
  delay = 0;
  url = '';
  private server: Server | undefined;

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as (typeof this.asked)[number];
        this.asked.push(body);
        const content = this.reply(body);
        const answering = setTimeout(() => {
          response.statusCode = this.status;
          response.end(
            JSON.stringify({
              choices: [{ message: { content: typeof content === 'string' ? content : JSON.stringify(content) } }],
            }),
          );
        }, this.delay);
        response.once('close', () => clearTimeout(answering));
      });
    });
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server?.close(() => resolve()));
  }
}
