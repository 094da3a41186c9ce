import { randomUUID } from 'node:crypto';

/** A domain that no mail reaches (RFC 2606). */
const DOMAIN = '@imported.invalid';

/** An address for an account that has none: that of somebody who is only the author of imported content. */
export const noAddress = (): string => `${randomUUID()}${DOMAIN}`;

/** Tells whether an address stands for none. */
export const isNoAddress = (email: string): boolean => email.endsWith(DOMAIN);
