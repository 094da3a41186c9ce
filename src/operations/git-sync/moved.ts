/** One side has moved while the other was written; both are looked at anew. */
export class Moved extends Error {}
