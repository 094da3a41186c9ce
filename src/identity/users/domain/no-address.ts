/** A domain that no mail reaches (RFC 2606). */
const DOMAIN = '@imported.invalid';

/** An address for an account that has none, by a name that no other has: it is only the author of imported content. */
export const noAddress = (name: string): string => `${name}${DOMAIN}`;

/** Tells whether an address stands for none. */
export const isNoAddress = (email: string): boolean => email.endsWith(DOMAIN);
