/** Maximum difference of the clocks of two machines, in milliseconds. */
export const CLOCK_SKEW = 60_000;
