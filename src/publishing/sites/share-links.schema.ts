import type { Addresses } from '../../kernel/common/addresses.js';
import { Flag, Id, Nested, ObjectName, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { versioned } from '../../kernel/common/versioned.js';

class ShareLinkUrls {
  @Url({ optional: true, description: 'The address of the site with the key of the link, while it leads there' })
  published?: string;
}

export class ShareLinkBody {
  @ObjectName('share-link')
  object: 'share-link';
  @Id()
  id: string;
  @Timestamp()
  createdAt: string;
  @Text({ example: 'For the auditors' })
  name: string;
  @Flag({ description: 'Readers with the key of an inactive link get 404' })
  active: boolean;
  @Nested(() => ShareLinkUrls)
  urls: ShareLinkUrls;
}

const NAME = { max: 50, example: 'For the auditors' } as const;

export class CreateShareLink {
  @Text(NAME)
  name: string;
}

export class UpdateShareLink {
  @Text({ ...NAME, optional: true })
  name?: string;
  @Flag({ optional: true })
  active?: boolean;
}

/** A row of `site_share_link` with its decrypted key. */
export interface ShareLink {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly key: string;
  readonly version: number;
  readonly createdAt: Date;
  /** Path of the site on the public listener; null while keys have no effect. */
  readonly route: string | null;
}

export function presentShareLink(
  { id, name, active, key, version, createdAt, route }: ShareLink,
  addresses: Addresses,
): ShareLinkBody {
  const published = active && route !== null ? addresses.withShareKey(route, key).published(route) : undefined;
  return versioned(
    {
      object: 'share-link',
      id,
      createdAt: createdAt.toISOString(),
      name,
      active,
      urls: { ...(published !== undefined && { published }) },
    },
    version,
  );
}
