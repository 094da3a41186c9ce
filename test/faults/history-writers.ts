import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from './chance.js';

const RETRY_MS = 25;
const PATIENCE_MS = 60_000;

/** A server that is killed and comes back at another address. */
export interface Target {
  readonly url: string | undefined;
}

/** A change request that one writer alone writes to, and what the writer was told. */
export interface Story {
  readonly id: string;
  /** Words that were written and acknowledged, each into one paragraph of a page. */
  readonly words: { readonly word: string; readonly page: string }[];
  /** Words of writes whose answer did not arrive. */
  readonly doubtful: string[];
  /** Whether a merge was acknowledged. */
  merged: boolean;
}

interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** Asks one of several servers, another one when the connection breaks; a writer's requests go on whoever is killed. */
export class Client {
  constructor(
    private readonly targets: readonly Target[],
    private readonly token: string,
    private readonly chance: Chance,
    private readonly surprises: string[],
  ) {}

  /** The answer, or undefined where nobody knows whether it happened; 5xx other than 503 are noted as surprises. */
  async once<Body>(method: string, path: string, body?: unknown): Promise<Answer<Body> | undefined> {
    const up = this.targets.flatMap(({ url }) => url ?? []);
    const url = up[Math.floor(this.chance() * up.length)];
    if (url === undefined) return undefined;
    try {
      const headers = {
        Authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      };
      const response = await fetch(`${url}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status === 503) return undefined;
      if (response.status >= 500)
        this.surprises.push(`${method} ${path} answered ${response.status}: ${text.slice(0, 200)}`);
      return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
    } catch {
      return undefined;
    }
  }

  /** For what may be asked again: asks until somebody answers. */
  async ask<Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> {
    for (const deadline = Date.now() + PATIENCE_MS; ; await pause(RETRY_MS)) {
      const answer = await this.once<Body>(method, path, body);
      if (answer) return answer;
      if (Date.now() > deadline) throw new Error(`nobody answers ${method} ${path}`);
    }
  }
}

export interface Scene {
  readonly spaceUrl: string;
  readonly pages: readonly string[];
  readonly author: Client;
  readonly reviewer: Client;
  readonly chance: Chance;
  readonly surprises: string[];
  readonly isOver: () => boolean;
}

/** Appends words to shared pages in change requests, has some of them approved, and merges; gives what was done. */
export async function writeStories(name: string, scene: Scene): Promise<Story[]> {
  const stories: Story[] = [];
  let count = 0;
  while (!scene.isOver()) {
    const made = await scene.author.once<{ id: string }>('POST', `${scene.spaceUrl}/change-requests`, {
      subject: `Words of ${name}`,
    });
    if (made?.status !== 201) continue;
    const story: Story = { id: made.body.id, words: [], doubtful: [], merged: false };
    stories.push(story);
    for (let writes = 1 + Math.floor(scene.chance() * 3); writes > 0; writes--)
      await append(`${name}n${count++}z`, story, scene);
    const url = `${scene.spaceUrl}/change-requests/${story.id}`;
    if (scene.chance() < 0.6)
      await scene.reviewer.once('POST', `${url}/reviews`, {
        status: scene.chance() < 0.8 ? 'approved' : 'changes-requested',
      });
    if (scene.chance() < 0.2) await scene.author.once('POST', `${url}/update`);
    if (scene.chance() < 0.3) await append(`${name}n${count++}z`, story, scene);
    if (scene.chance() < 0.85) await merge(story, url, scene);
  }
  return stories;
}

/** Adds one paragraph to a page of the change request; all others stay as they are. */
async function append(
  word: string,
  story: Story,
  { spaceUrl, pages, author, chance, surprises }: Scene,
): Promise<void> {
  const page = pages[Math.floor(chance() * pages.length)] ?? '';
  const content = `${spaceUrl}/change-requests/${story.id}/content`;
  const now = await author.ask<{ document: { nodes: object[] } }>('GET', `${content}/page/${page}?format=document`);
  const paragraph = {
    object: 'block',
    type: 'paragraph',
    isVoid: false,
    data: {},
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: word, marks: [] }] }],
  };
  const document = { ...now.body.document, nodes: [...now.body.document.nodes, paragraph] };
  const written = await author.once('POST', content, {
    changes: [{ operation: 'update_page', page, document: { document } }],
  });
  if (written?.status === 200) story.words.push({ word, page });
  else {
    if (written) surprises.push(`a write was answered ${written.status}`);
    story.doubtful.push(word);
  }
}

async function merge(story: Story, url: string, { author, surprises }: Scene): Promise<void> {
  const answer = await author.once<{ result: string }>('POST', `${url}/merge`);
  if (answer?.status === 200 && answer.body.result === 'merge') story.merged = true;
  // A rule may stand in the way; but appended paragraphs are in nobody's way.
  else if (answer && answer.status !== 403)
    surprises.push(`a merge was answered ${answer.status} ${JSON.stringify(answer.body)}`);
}
