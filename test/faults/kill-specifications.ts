import { setTimeout as pause } from 'node:timers/promises';
import type { SpecificationServer } from '../specification-server.js';
import type { Caller } from './kill-clients.js';

const PATIENCE_MS = 120_000;
const SPECIFICATIONS = 8;
const OPERATIONS = 400;
const RESPONSES = {
  200: { description: 'ok', content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
};

const slugs = Array.from({ length: SPECIFICATIONS }, (_, index) => `killed-${index}`);

/** A specification that takes a while to be read. */
function specificationOf(title: string): string {
  const paths = Object.fromEntries(
    Array.from({ length: OPERATIONS }, (_, index) => [
      `/things/${index}`,
      { get: { operationId: `get${index}`, responses: RESPONSES } },
    ]),
  );
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title, version: '1' },
    paths,
    components: { schemas: { Thing: { type: 'object' } } },
  });
}

/** Gives all specifications anew under these words, half of them by their addresses. */
export async function registerSpecifications(
  caller: Caller,
  organization: string,
  server: SpecificationServer,
  words: string,
): Promise<void> {
  for (const [index, slug] of slugs.entries()) {
    const text = specificationOf(`${words} ${slug}`);
    await caller.call('PUT', `/orgs/${organization}/openapi/${slug}`, {
      source: index % 2 === 0 ? { text } : { url: server.give(`/${slug}.json`, text) },
    });
  }
}

interface Spec {
  readonly slug: string;
  readonly processingState: string;
  readonly lastProcessErrorCode?: string;
}

const listOf = async (caller: Caller, organization: string): Promise<readonly Spec[]> =>
  (await caller.call<{ items: readonly Spec[] }>('GET', `/orgs/${organization}/openapi?limit=100`)).items;

/** Waits until all specifications were read; whether they were already when first looked at. */
export async function specificationsRead(caller: Caller, organization: string): Promise<{ readonly atOnce: boolean }> {
  for (let looks = 0, end = Date.now() + PATIENCE_MS; ; looks++) {
    const waiting = (await listOf(caller, organization)).filter(
      ({ processingState }) => processingState !== 'complete',
    );
    if (waiting.length === 0) return { atOnce: looks === 0 };
    if (Date.now() > end) throw new Error(`specifications were not read: ${JSON.stringify(waiting)}`);
    await pause(300);
  }
}

/** What is not as it would be without any kill, after so many versions, the last of these words. */
export async function findBrokenSpecifications(
  caller: Caller,
  organization: string,
  words: string,
  versions: number,
): Promise<string[]> {
  const specs = await listOf(caller, organization);
  const faults = specs.length === slugs.length ? [] : [`${specs.length} of ${slugs.length} specifications are there`];
  for (const { slug, lastProcessErrorCode } of specs) {
    const path = `/orgs/${organization}/openapi/${slug}/versions`;
    const { count } = await caller.call<{ count: number }>('GET', path);
    const { filesystem } = await caller.call<{ filesystem: { specification: { info: { title: string } } }[] }>(
      'GET',
      `${path}/latest/content`,
    );
    const title = filesystem[0]?.specification.info.title;
    if (lastProcessErrorCode !== undefined) faults.push(`${slug} failed: ${lastProcessErrorCode}`);
    if (count !== versions) faults.push(`${slug} has ${count} of ${versions} versions`);
    if (title !== `${words} ${slug}`) faults.push(`${slug} says ${title}`);
  }
  return faults;
}
