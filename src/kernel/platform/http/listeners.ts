import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Connections } from './connections.js';

/** The listeners of this process, for the API and for published sites, which are closed together. */
@Injectable()
export class Listeners {
  private readonly all: Connections[] = [];

  add(server: Server): Connections {
    const connections = new Connections(server);
    this.all.push(connections);
    return connections;
  }

  /** See `Connections.announceEnd`. */
  announceEnd(): void {
    for (const connections of this.all) connections.announceEnd();
  }

  /** See `Connections.close`. */
  async close(seconds: number, quietMilliseconds: number): Promise<void> {
    await Promise.all(this.all.map((connections) => connections.close(seconds, quietMilliseconds)));
  }
}
