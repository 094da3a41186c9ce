import { MAX_SPECIFICATION_BYTES } from '../content/specification-parser.js';

/** Maximum size in bytes of a source with the other documents that it refers to, and of its processed form. */
export const MAX_SOURCE_BYTES = MAX_SPECIFICATION_BYTES;
/** Maximum number of stored versions of a specification. */
export const MAX_VERSIONS = 100;
/** Hours after which an address is fetched again. */
export const REFRESH_HOURS = 6;
