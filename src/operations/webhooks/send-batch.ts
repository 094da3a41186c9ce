import type { Attempt, DueDelivery } from './webhook-sender.js';

/** Concurrent deliveries for an organization, and to one webhook among them. */
const AT_ONCE = 10;
const AT_ONCE_TO_WEBHOOK = 4;
/**
 * Milliseconds after which no further delivery is started: those to slow receivers continue in the next job, after
 * those of other organizations.
 */
const BEGIN_WITHIN = 2000;

/**
 * Sends deliveries in order, a few at once, and returns the outcomes of those that were started in time and before the
 * signal.
 */
export async function sendBatch(
  due: readonly DueDelivery[],
  send: (delivery: DueDelivery) => Promise<Attempt>,
  signal: AbortSignal,
): Promise<Attempt[]> {
  const waiting = [...due];
  const underWay = new Map<string, number>();
  const attempts: Attempt[] = [];
  const started = performance.now();
  const next = (): DueDelivery | undefined => {
    if (signal.aborted || performance.now() - started > BEGIN_WITHIN) return undefined;
    const index = waiting.findIndex(({ webhookId }) => (underWay.get(webhookId) ?? 0) < AT_ONCE_TO_WEBHOOK);
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  };
  // A worker that finds only busy webhooks ends: the workers that are busy with them continue.
  const work = async (): Promise<void> => {
    for (let delivery = next(); delivery; delivery = next()) {
      const { webhookId } = delivery;
      underWay.set(webhookId, (underWay.get(webhookId) ?? 0) + 1);
      attempts.push(await send(delivery));
      underWay.set(webhookId, (underWay.get(webhookId) ?? 0) - 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return attempts;
}
