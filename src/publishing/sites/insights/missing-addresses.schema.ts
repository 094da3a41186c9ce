import { Amount, Text, Timestamp } from '../../../kernel/common/fields.js';

export class MissingAddressBody {
  @Text({ description: 'The path below the site, with a slash at its beginning', example: '/old/install' })
  path: string;
  @Amount({ description: 'Requests for it that found no page', example: 42 })
  requests: number;
  @Text({
    optional: true,
    description: 'The page that the last reader came from who told of one, without its query',
    example: 'https://forum.example.com/thread/7',
  })
  referrer?: string;
  @Timestamp({ description: 'The last request for it' })
  lastAskedAt: string;
}

export interface MissingAddressRow {
  readonly path: string;
  readonly requests: number;
  readonly referrer: string | null;
  readonly lastAskedAt: Date;
}

export function presentMissingAddress(row: MissingAddressRow): MissingAddressBody {
  return {
    path: row.path,
    requests: row.requests,
    ...(row.referrer !== null && { referrer: row.referrer }),
    lastAskedAt: row.lastAskedAt.toISOString(),
  };
}
