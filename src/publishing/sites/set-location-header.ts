import type { Response } from 'express';
import type { Addresses } from '../../kernel/common/addresses.js';
import type { SiteAddress } from './site-address.js';

/** Sets the Location header of the response for a new part of a site; such parts have no address in their body. */
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
