import { Injectable } from '@nestjs/common';
import { Cache, ownBytes } from '../../../kernel/common/cache.js';
import type { CardPicture } from '../../../formats/cards/card.js';
import { Addresses } from '../../../kernel/common/addresses.js';
import { resumed } from '../../../kernel/common/context.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { webAddress } from '../../../kernel/common/web-address.js';
import { Outbound } from '../../../kernel/platform/outbound/outbound.js';
import { OutboundError } from '../../../kernel/platform/outbound/outbound-error.js';
import { FileEndpoint } from '../../../kernel/platform/storage/file-endpoint.js';
import { dimensionsOf, sniffType } from '../../../kernel/platform/storage/media-type-sniffing.js';

const MAX_BYTES = 512 * 1024;
/** Maximum number of pixels of a picture, which are decoded in memory. */
const MAX_PIXELS = 4_000_000;
/** Milliseconds for one picture of another server. */
const TIMEOUT = 5000;
/** Milliseconds for which a picture is not asked for again, whether it was found or not. */
const KEPT = 10 * 60_000;
const RETRY_AFTER = 60_000;
const READABLE = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml']);
/**
 * Parts of an SVG with which it is not drawn: text, for which there would be no font, and what could hide more pixels
 * or text than it has bytes.
 */
const UNDRAWN = /<(?:[\w.-]+:)?(?:text|image|feImage|filter|foreignObject)\b|<!ENTITY/i;

/** Reads the logos and icons of sites for their cards: files of this service from its storage, others from where they are. */
@Injectable()
export class CardPictures {
  private readonly known = new Cache<{ readonly picture: CardPicture | undefined }>({
    share: 4,
    weigh: ({ picture }) => picture?.bytes.length ?? 0,
    ttl: KEPT,
    fetchMethod: async (address, _stale, { options }) => {
      const picture = await this.read(address);
      if (!picture) options.ttl = RETRY_AFTER;
      return { picture };
    },
  });

  constructor(
    private readonly files: FileEndpoint,
    private readonly outbound: Outbound,
    private readonly addresses: Addresses,
  ) {}

  /** The picture at an address; undefined if there is none that a card can show. */
  async at(address: string): Promise<CardPicture | undefined> {
    const found = await this.known.fetch(address);
    resumed();
    return found?.picture;
  }

  private async read(address: string): Promise<CardPicture | undefined> {
    try {
      const bytes = await this.bytesAt(address);
      return bytes && (await drawable(bytes));
    } catch (error) {
      if (error instanceof OutboundError || error instanceof DomainError) return undefined;
      throw error;
    }
  }

  private async bytesAt(address: string): Promise<Buffer | undefined> {
    const url = webAddress(address);
    if (url?.origin === new URL(this.addresses.public).origin) return this.files.read(url, MAX_BYTES);
    const { status, body } = await this.outbound.fetch(address, { timeout: TIMEOUT, maxBytes: MAX_BYTES });
    return status === 200 ? body : undefined;
  }
}

async function drawable(bytes: Buffer): Promise<CardPicture | undefined> {
  const type = await sniffType(bytes, '');
  const size = dimensionsOf(bytes, type);
  if (!READABLE.has(type) || !size || size.width * size.height > MAX_PIXELS) return undefined;
  return type === 'image/svg+xml' && UNDRAWN.test(bytes.toString('utf8'))
    ? undefined
    : { type, bytes: ownBytes(bytes), ...size };
}
