import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from './chance.js';

/** A batch of changes that a client sent: new pages, a file, and an edit of the client's log page, all or nothing. */
export interface Batch {
  /** A word that stands in all that the batch writes and nowhere else. */
  readonly word: string;
  readonly titles: readonly string[];
  /** Undefined where the answer did not arrive: then all of it or none of it happened. */
  revision?: string;
  pageIds: readonly string[];
}

/** The same, but only in the text of the batch's pages, not in their titles: so that search must know the text. */
export const textWord = ({ word }: Batch): string => `${word}inside`;

/** A line of content that one client alone writes to: a change request or, without one, the space itself. */
export interface Line {
  readonly spaceId: string;
  readonly changeRequest?: { readonly id: string; readonly number: number };
  readonly logPage: string;
  readonly batches: Batch[];
  merge?: { revision?: string };
}

/** A team that a client made and renamed, one title after the other; the last may not have been acknowledged. */
export interface Team {
  id?: string;
  readonly titles: string[];
  /** How many of the titles were acknowledged. */
  acknowledged: number;
}

/** Everything that the clients asked for and what they were told. */
export class Ledger {
  readonly lines: Line[] = [];
  readonly teams: Team[] = [];
  /** Answers that must not be given, whatever is killed. */
  readonly surprises: string[] = [];

  get acknowledged(): number {
    return this.lines.reduce(
      (sum, line) => sum + line.batches.filter((batch) => batch.revision !== undefined).length,
      0,
    );
  }

  get merges(): number {
    return this.lines.filter((line) => line.merge?.revision !== undefined).length;
  }
}

/** The connection or the server is gone: what was asked for may or may not have happened. */
class Gone extends Error {}

interface Written {
  readonly changeRequest?: { readonly revision: string };
  readonly revision?: string;
  readonly changes: readonly { readonly object: string; readonly page: string | { readonly id: string } }[];
}

/** Calls the API; a connection that breaks, and a database that is gone, end the client. */
export class Caller {
  constructor(
    readonly url: string,
    private readonly token: string,
    private readonly surprises: string[] = [],
    /** Ends the client before its next request. */
    private readonly stop?: AbortSignal,
  ) {}

  async call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    if (this.stop?.aborted) throw new Gone('stopped');
    let status: number;
    let text: string;
    try {
      const headers = {
        Authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      };
      const response = await fetch(`${this.url}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      ({ status } = response);
      text = await response.text();
    } catch (error) {
      throw new Gone(String(error));
    }
    if (status >= 200 && status < 300) return (text === '' ? undefined : JSON.parse(text)) as Body;
    if (status < 500) this.surprises.push(`${method} ${path} answered ${status}: ${text.slice(0, 300)}`);
    throw new Gone(`${status} ${text.slice(0, 300)}`);
  }
}

/** Writes batches and merges change requests until the server is gone. */
export class WritingClient {
  private count = 0;

  constructor(
    private readonly name: string,
    private readonly caller: Caller,
    private readonly ledger: Ledger,
    private readonly chance: Chance,
  ) {}

  /** Writes one batch after the other straight into a space, as an import does. */
  async writeLive(spaceId: string): Promise<void> {
    await untilGone(async () => {
      const line = await this.openLine(spaceId);
      for (;;) await this.writeBatch(line);
    });
  }

  /** Opens change requests, writes a few batches into each and merges it. */
  async mergeRequests(spaceId: string): Promise<void> {
    await untilGone(async () => {
      for (;;) {
        const { id, number } = await this.caller.call<{ id: string; number: number }>(
          'POST',
          `/spaces/${spaceId}/change-requests`,
          { subject: `Work of ${this.name}` },
        );
        const line = await this.openLine(spaceId, { id, number });
        for (let batches = Math.floor(this.chance() * 3); batches >= 0; batches--) await this.writeBatch(line);
        if (this.chance() < 0.8) await this.merge(line);
        await pause(this.chance() * 20);
      }
    });
  }

  /** Makes teams and renames them, of which the audit log tells. */
  async administer(organizationId: string): Promise<void> {
    await untilGone(async () => {
      for (let count = 0; ; count++) {
        const team: Team = { titles: [], acknowledged: 0 };
        this.ledger.teams.push(team);
        for (let names = Math.floor(this.chance() * 3); names >= 0; names--) {
          const title = `Team ${count} of ${this.name}, ${names}`;
          team.titles.push(title);
          const path = `/orgs/${organizationId}/teams`;
          const { id } = await this.caller.call<{ id: string }>(
            team.id === undefined ? 'PUT' : 'PATCH',
            team.id === undefined ? path : `${path}/${team.id}`,
            { title },
          );
          team.id = id;
          team.acknowledged++;
          await pause(this.chance() * 50);
        }
      }
    });
  }

  /** The line's first batch makes the log page that the later ones edit. */
  private async openLine(spaceId: string, changeRequest?: Line['changeRequest']): Promise<Line> {
    const batch = this.newBatch(1);
    const line: Line = {
      spaceId,
      ...(changeRequest && { changeRequest }),
      logPage: batch.titles[0] ?? '',
      batches: [batch],
    };
    this.ledger.lines.push(line);
    await this.send(line, batch, [this.insertion(batch, 0)]);
    return line;
  }

  private newBatch(size: number): Batch {
    const word = `${this.name}q${(this.count++).toString(36)}z`;
    return { word, titles: Array.from({ length: size }, (_, index) => `Part ${index} of ${word}`), pageIds: [] };
  }

  private insertion(batch: Batch, index: number): object {
    return {
      operation: 'insert_page',
      title: batch.titles[index],
      document: {
        markdown: `What ${textWord(batch)} says about part ${index}.\n\n## More\n\n${'And so on. '.repeat(40)}`,
      },
    };
  }

  private async writeBatch(line: Line): Promise<void> {
    const batch = this.newBatch(1 + Math.floor(this.chance() ** 3 * 40));
    line.batches.push(batch);
    const log = `The last batch was ${batch.word}, number ${line.batches.length}.`;
    await this.send(line, batch, [
      ...batch.titles.map((_, index) => this.insertion(batch, index)),
      {
        operation: 'insert_files',
        files: [
          {
            name: `${batch.word}.txt`,
            contentType: 'text/plain',
            base64: Buffer.from(batch.word.repeat(9)).toString('base64'),
          },
        ],
      },
      { operation: 'update_page', page: line.batches[0]?.pageIds[0], document: { markdown: log } },
    ]);
  }

  private async send(line: Line, batch: Batch, changes: readonly object[]): Promise<void> {
    const target =
      line.changeRequest === undefined ? 'content' : `change-requests/${line.changeRequest.id}/content?compat=false`;
    const written = await this.caller.call<Written>('POST', `/spaces/${line.spaceId}/${target}`, { changes });
    batch.revision = written.changeRequest?.revision ?? written.revision ?? '';
    batch.pageIds = written.changes.flatMap(({ object, page }) =>
      object === 'created_page' && typeof page !== 'string' ? [page.id] : [],
    );
  }

  private async merge(line: Line): Promise<void> {
    line.merge = {};
    const { revision, result } = await this.caller.call<{ revision: string; result: string }>(
      'POST',
      `/spaces/${line.spaceId}/change-requests/${line.changeRequest?.id ?? ''}/merge`,
    );
    if (result !== 'merge') this.ledger.surprises.push(`a merge of ${this.name} gave ${result}`);
    line.merge.revision = revision;
  }
}

async function untilGone(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Gone)) throw error;
  }
}
