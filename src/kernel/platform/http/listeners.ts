import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Connections } from './connections.js';

/** The listeners of this process, for the API and for published sites, which are closed together. */
@Injectable()
export class Listeners {
  private readonly all: Connections[] = [];
  private readonly enders = new Set<() => void>();
  private ending = false;

  add(server: Server): Connections {
    return this.adopt(new Connections(server));
  }

  /** Adds a listener whose connections are followed already. */
  adopt(connections: Connections): Connections {
    this.all.push(connections);
    return connections;
  }

  /** See `Connections.announceEnd`. */
  announceEnd(): void {
    this.ending = true;
    for (const end of this.enders) end();
    for (const connections of this.all) connections.announceEnd();
  }

  /** True once the server serves open requests only until their ends. */
  get isEnding(): boolean {
    return this.ending;
  }

  /** Calls `end` when the server begins to end: for responses that would never end by themselves. */
  onEnd(end: () => void): void {
    this.enders.add(end);
  }

  /** See `Connections.close`. */
  async close(seconds: number, quietMilliseconds: number): Promise<void> {
    await Promise.all(this.all.map((connections) => connections.close(seconds, quietMilliseconds)));
  }
}
