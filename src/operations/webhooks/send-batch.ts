import type { Attempt, DueDelivery } from './webhook-sender.js';

/** Deliveries that are under way at once for an organization, and to one webhook among them. */
const AT_ONCE = 10;
const AT_ONCE_TO_WEBHOOK = 4;
/** Milliseconds after which no further one is begun: slow receivers take their time with the next job, behind those of other organizations. */
const BEGIN_WITHIN = 2000;

/** Sends deliveries in their order, a few at once, and gives what came of those that were begun in time and before the signal. */
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
  // Whoever finds only webhooks that are busy ends: those who are busy with them go on.
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
