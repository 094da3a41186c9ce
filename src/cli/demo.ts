import type { INestApplicationContext } from '@nestjs/common';
import { Addresses } from '../kernel/common/addresses.js';
import type { Caller } from '../kernel/common/context.js';
import { packageFolder } from '../kernel/platform/package-folder.js';
import { Customizations } from '../publishing/sites/customization.service.js';
import { DEFAULT_CUSTOMIZATION } from '../publishing/sites/customization.schema.js';
import { Sites } from '../publishing/sites/sites.service.js';
import { proposeInDemo, type DemoReview } from './demo-review.js';
import { importSource } from './transfer.js';

const TITLE = 'Bindery documentation';

/** Readers of the demo may ask it. */
const ASSISTANT = {
  mode: 'assistant' as const,
  suggestions: ['How do I publish a site?', 'What may an agent do?', 'How are conflicts resolved?'],
};

/** The demo space and the published demo site made of it. */
export type Demo = {
  readonly title: string;
  readonly space: string;
  readonly site: string;
  readonly pages: number;
  readonly url: string;
  /** The change request in it that waits for a review by the administrator. */
  readonly review: DemoReview;
};

/**
 * Imports the documentation of Bindery itself into a space, publishes it as a site, and lets a second member propose a
 * change to it. @returns undefined if there is no documentation.
 */
export async function importDemo(
  services: INestApplicationContext,
  organizationId: string,
  userId: string,
): Promise<Demo | undefined> {
  const source = packageFolder('docs');
  if (source === undefined) return undefined;
  const caller: Caller = { userId, tokenId: '', organizationId: undefined, scopes: undefined };
  const { space, pages } = await importSource(services, { source, organizationId, title: TITLE }, userId, true);
  const sites = services.get(Sites);
  const site = await sites.create(caller, organizationId, { title: TITLE, spaces: [space] });
  const address = { id: site.id, organizationId };
  await services.get(Customizations).replace(caller, address, { ...DEFAULT_CUSTOMIZATION, ai: ASSISTANT });
  await sites.setPublished(caller, address, true);
  const review = await proposeInDemo(services, { organizationId, spaceId: space }, userId);
  return {
    title: TITLE,
    space,
    site: site.id,
    // The proposal is about one more.
    pages: pages + 1,
    url: services.get(Addresses).published(`/${site.basename}`),
    review,
  };
}
