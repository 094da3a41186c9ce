import type { Caller } from '../../kernel/common/context.js';
import type { ImportOrder } from './import-order.js';

/** The caller that an import acts as. */
export function importerOf({ userId, organizationId }: Pick<ImportOrder, 'userId' | 'organizationId'>): Caller {
  return { userId, tokenId: '', organizationId, scopes: undefined };
}
