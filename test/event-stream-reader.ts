import { get, type IncomingMessage } from 'node:http';

export interface ToldEvent<Data> {
  readonly id: string;
  readonly event: string;
  readonly data: Data;
}

/** A reader of server-sent events, with a connection of its own that ends when it is closed. */
export class EventStreamReader<Data> {
  readonly told: ToldEvent<Data>[] = [];
  isOver = false;
  private pending = '';
  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const blocks = `${this.pending}${chunk}`.split('\n\n');
      this.pending = blocks.pop() ?? '';
      this.told.push(...blocks.flatMap((block) => toldBy<Data>(block)));
    });
    response.on('close', () => (this.isOver = true)).on('error', () => undefined);
  }

  static open<Data>(
    url: string,
    token: string | undefined,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<EventStreamReader<Data>> {
    return new Promise((resolve, reject) => {
      get(url, { headers: { Authorization: `Bearer ${token}`, ...headers }, agent: false }, (response) => {
        resolve(new EventStreamReader(response));
      }).on('error', reject);
    });
  }

  close(): void {
    this.response.destroy();
  }
}

function toldBy<Data>(block: string): ToldEvent<Data>[] {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? '';
  return field('data') === ''
    ? []
    : [{ id: field('id'), event: field('event'), data: JSON.parse(field('data')) as Data }];
}
