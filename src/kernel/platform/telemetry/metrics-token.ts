/** The injection token of `Metrics`, for what also works without a database, and then loads nothing that needs one. */
export const METRICS = Symbol('metrics');
