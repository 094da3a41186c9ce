/** How far the clocks of two machines may be apart, in milliseconds. */
export const CLOCK_SKEW = 60_000;
