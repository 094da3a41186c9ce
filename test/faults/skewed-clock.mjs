// Gives a process a clock that is CLOCK_SKEW_MS milliseconds ahead of the machine's, or behind it.
const skew = Number(process.env.CLOCK_SKEW_MS);
const now = Date.now;

globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now() + skew] : values, newTarget),
  get: (target, name) => (name === 'now' ? () => now() + skew : Reflect.get(target, name)),
});
