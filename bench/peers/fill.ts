import type { PageSource } from '../pages.js';
import { section } from '../report.js';
import { Undo } from '../undo.js';
import type { Found, FoundPeer } from './found.js';
import { peerProduct, type Product } from './product.js';
import { type Stage, startPeer } from './start.js';

export interface Filling extends Stage {
  readonly source: PageSource;
  /** The number of pages. */
  readonly count: number;
  readonly say: (line: string) => void;
}

/** Peers that hold all pages, and sentences about those that do not. */
export interface Filled {
  readonly products: readonly Product[];
  readonly faults: readonly string[];
}

async function fillPeer(found: FoundPeer, filling: Filling): Promise<Product> {
  const { source, count, say } = filling;
  const begin = performance.now();
  const started = await startPeer(found, filling);
  const account = await found.peer.open(started.server.port);
  say(`${found.label} runs (its first start took ${((performance.now() - begin) / 1000).toFixed(1)} s)`);
  return peerProduct(found.label, started, account, source, count, say);
}

/**
 * Starts the peers one after the other, and writes the pages into each. One that fails is stopped, and keeps none of the
 * others away.
 */
export async function fillPeers(peers: readonly FoundPeer[], filling: Filling): Promise<Filled> {
  const products: Product[] = [];
  const faults: string[] = [];
  for (const found of peers) {
    const undo = new Undo();
    filling.undo.push(() => undo.all());
    try {
      products.push(await fillPeer(found, { ...filling, undo }));
    } catch (error) {
      await undo.all();
      // At the end of the run everything fails, and nothing more is started.
      if (filling.undo.begun) throw error;
      faults.push(`${found.label}: ${error instanceof Error ? error.message : String(error)}`);
      filling.say(`${found.label} cannot be measured`);
    }
  }
  return { products, faults };
}

/** The peers that are not there, and what they need; empty if all are. */
export function missingSection({ needs }: Found): string {
  return needs.length === 0 ? '' : section('Needed to measure the other products as well', needs.join('\n'));
}

/** The peers that are there and cannot be measured; empty if there are none. */
export function faultsSection(faults: readonly string[]): string {
  return faults.length === 0 ? '' : section('Not measured', faults.join('\n'));
}
