import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connections } from './connections.js';

/** A listener whose requests are answered by one handler after another, while its port stays open. */
export class OpenListener {
  readonly server: Server;
  readonly connections: Connections;

  constructor(private handler: RequestListener) {
    this.server = createServer((request, response) => this.handler(request, response));
    this.connections = new Connections(this.server);
  }

  /** Lets another handler answer the requests that come from now on, also those on connections that are open. */
  answerBy(handler: RequestListener): void {
    this.handler = handler;
  }

  /** Listens, on any free port for 0, and returns the port; rejects with the error of the system. */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      const fail = (error: Error): void => {
        this.server.off('listening', succeed);
        reject(error);
      };
      const succeed = (): void => {
        this.server.off('error', fail);
        resolve();
      };
      this.server.once('error', fail).once('listening', succeed).listen(port, host);
    });
    return this.port;
  }

  /** The port, once it listens. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }
}
