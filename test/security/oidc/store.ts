import type { Adapter, AdapterConstructor, AdapterPayload } from 'oidc-provider';

/** Where a provider keeps everything while a spec runs, its clients included. */
export function makeStore(clients: ReadonlyMap<string, AdapterPayload>): AdapterConstructor {
  const kept = new Map<string, AdapterPayload>();
  return class Store implements Adapter {
    constructor(private readonly kind: string) {}

    async upsert(id: string, payload: AdapterPayload): Promise<void> {
      kept.set(this.keyOf(id), payload);
    }
    async find(id: string): Promise<AdapterPayload | undefined> {
      return this.kind === 'Client' ? clients.get(id) : kept.get(this.keyOf(id));
    }
    async findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return [...kept].find(([key, payload]) => key.startsWith(this.keyOf('')) && payload.uid === uid)?.[1];
    }
    async findByUserCode(): Promise<undefined> {
      return undefined;
    }
    async consume(id: string): Promise<void> {
      const payload = kept.get(this.keyOf(id));
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    }
    async destroy(id: string): Promise<void> {
      kept.delete(this.keyOf(id));
    }
    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key);
    }

    private keyOf(id: string): string {
      return `${this.kind}:${id}`;
    }
  };
}
