import type { z } from 'zod';
import { addressFault } from './safe-address.js';

/**
 * Refuses addresses that may not be stored: for `superRefine` of a string schema. It must precede `url`, which strips
 * tabs and line feeds.
 */
export function checkStorableUrl(address: string, context: z.RefinementCtx<string>): void {
  const message = addressFault(address);
  if (message !== undefined) context.addIssue({ code: 'custom', message, continue: false });
}
