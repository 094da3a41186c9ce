import { MAX_SPECIFICATION_BYTES } from '../content/specification-parser.js';

/** Bytes of a source with the other documents that it refers to, and of what is made of them. */
export const MAX_SOURCE_BYTES = MAX_SPECIFICATION_BYTES;
/** Versions of a specification that are kept. */
export const MAX_VERSIONS = 100;
/** Hours after which an address is asked again. */
export const REFRESH_HOURS = 6;
