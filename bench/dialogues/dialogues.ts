import { Random } from '../random.js';
import type { Domain } from './domains.js';
import { ENGLISH_DOMAINS } from './english-domains.js';
import { GERMAN_DOMAINS } from './german-domains.js';

export interface Turn {
  readonly role: 'customer' | 'agent';
  readonly text: string;
  /** The intents of a request; none for a turn of a customer that only answers or is polite. */
  readonly intents: readonly string[];
  /** False for a request whose intent is unknown: it counts for no cluster. */
  readonly isJudged: boolean;
}

export interface DialogueSet {
  readonly name: string;
  readonly dialogues: readonly (readonly Turn[])[];
}

const DIALOGUES = 180;
const SHARE_OF_TWO_MATTERS = 0.15;

/** Dialogues of each domain: a matter, sometimes two, between greetings, details that an agent asks for, and thanks. */
export function writtenDialogues(): DialogueSet[] {
  return [...ENGLISH_DOMAINS, ...GERMAN_DOMAINS].map((domain, at) => {
    const random = new Random(at + 1);
    return {
      name: domain.name,
      dialogues: Array.from({ length: DIALOGUES }, () => dialogueOf(domain, random)),
    };
  });
}

function dialogueOf(domain: Domain, random: Random): Turn[] {
  const turns: Turn[] = [];
  const agent = (text: string): unknown => turns.push({ role: 'agent', text, intents: [], isJudged: true });
  const customer = (text: string, ...intents: string[]): unknown =>
    turns.push({ role: 'customer', text, intents, isJudged: true });
  const names = Object.keys(domain.intents);
  // Some matters are more frequent than others.
  const first = names[Math.floor(random.next() ** 1.5 * names.length)] ?? '';
  if (random.next() < 0.5) {
    customer(random.pick(domain.greetings));
    agent(random.pick(domain.offers));
  }
  matterOf(domain, first, random, agent, customer);
  const second = random.pick(names);
  agent(random.pick(domain.further));
  if (random.next() < SHARE_OF_TWO_MATTERS && second !== first) {
    matterOf(domain, second, random, agent, customer);
    agent(random.pick(domain.further));
  }
  customer(random.pick(domain.closings));
  return turns;
}

function matterOf(
  domain: Domain,
  name: string,
  random: Random,
  agent: (text: string) => unknown,
  customer: (text: string, ...intents: string[]) => unknown,
): void {
  const intent = domain.intents[name];
  if (!intent) return;
  const greeting = random.next() < 0.3 ? `${random.pick(domain.greetings)}, ` : '';
  const addition = random.next() < 0.35 ? ` ${random.pick(intent.additions)}` : '';
  const opening = random.pick(intent.openings);
  customer(`${greeting}${opening}${addition && !opening.endsWith('?') ? '.' : ''}${addition}`, name);
  const details = domain.questions.filter(() => random.next() < 0.5);
  const own = intent.questions.filter(() => random.next() < 0.6);
  for (const [question, answers] of [...details, ...own]) {
    agent(question);
    customer(random.pick(answers));
  }
  agent('Thank you, I see it here and take care of it.');
  if (random.next() < 0.6) customer(random.pick(domain.acknowledgements));
}
