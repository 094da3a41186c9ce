import type { Response } from 'express';
import type { Addresses } from '../../kernel/common/addresses.js';
import type { SiteAddress } from './site-address.js';

/** Gives the answer about a new part of a site its Location header; such parts have no address in their body. */
export function setLocationHeader<Body>(
  response: Response,
  addresses: Addresses,
  site: SiteAddress,
  path: string,
  body: Body,
): Body {
  response.location(addresses.location(`/orgs/${site.organizationId}/sites/${site.id}${path}`));
  return body;
}
