import type { ConversationInput } from '../../src/insight/conversations/domain/conversation.js';
import { redacted } from '../../src/insight/conversations/domain/redaction/redact.js';
import { Random } from '../random.js';
import { LANGUAGES, type Language, type SecretKind } from './languages.js';

/** How well secrets of conversations are masked. */
export interface RedactionScores {
  /** Secrets, and those of them that are not readable afterwards. */
  readonly secrets: number;
  readonly masked: number;
  /** Words such as `[name]`, and those of them that stand for a secret. */
  readonly masks: number;
  readonly right: number;
  /** Texts with a readable secret, or with a mask that stands for none. */
  readonly faults: readonly string[];
}

const MASK = /\[(?:email|phone|card|name|account|policy|order|street|birth date|id number|number)\]/g;
const PHONES: Readonly<Record<string, string>> = {
  en: '(312) 555-0182',
  de: '030 901820',
  fr: '01 42 68 53 00',
  es: '612 345 678',
  pt: '912 345 678',
  it: '06 6982 1234',
  nl: '020 624 1111',
  pl: '+48 22 695 29 00',
  sv: '08-508 284 00',
  ru: '+7 495 123-45-67',
  ja: '03-3433-5111',
  zh: '138 0013 8000',
};

function digits(random: Random, count: number): string {
  return Array.from({ length: count }, (_, at) =>
    String(at === 0 ? 3 + Math.floor(random.next() * 7) : Math.floor(random.next() * 10)),
  ).join('');
}

function secretOf({ code, names, streets, births }: Language, kind: SecretKind, random: Random): string {
  switch (kind) {
    case 'name':
      return random.pick(names);
    case 'street':
      return random.pick(streets);
    case 'birth':
      return random.pick(births);
    case 'account':
      return digits(random, 6 + Math.floor(random.next() * 5));
    case 'card':
      return `4${digits(random, 3)} ${digits(random, 4)} ${digits(random, 4)}`;
    case 'policy':
      return random.next() < 0.5 ? `POL-${digits(random, 6)}` : digits(random, 8);
    case 'order':
      return random.next() < 0.5 ? `AB${digits(random, 6)}` : digits(random, 5 + Math.floor(random.next() * 4));
    case 'ending':
      return digits(random, 4);
    case 'email':
      return `${digits(random, 3)}user@example.org`;
    case 'phone':
      return PHONES[code] ?? '';
  }
}

interface Scene {
  readonly parts: ConversationInput['parts'];
  /** The secret of each part, or none. */
  readonly secrets: readonly (string | undefined)[];
}

/** A dialogue with up to so many turns of a customer. */
function sceneOf(language: Language, random: Random): Scene {
  const parts: ConversationInput['parts'][number][] = [];
  const secrets: (string | undefined)[] = [];
  const say = (role: 'user' | 'team-member', body: string, secret?: string): void => {
    parts.push({ type: 'message', role, body });
    secrets.push(secret);
  };
  const kinds = Object.keys(language.sentences) as SecretKind[];
  for (let turn = 0; turn < 3; turn++) {
    const chance = random.next();
    if (chance < 0.3) say('user', random.pick(language.harmless));
    else if (chance < 0.5) {
      const [question, kind] = random.pick(language.asked);
      const secret = secretOf(language, kind, random);
      say('team-member', question);
      say('user', secret, secret);
    } else {
      const kind = random.pick(kinds);
      const secret = secretOf(language, kind, random);
      say(
        'user',
        random.pick(language.sentences[kind]).replace('{}', () => secret),
        secret,
      );
    }
  }
  return { parts, secrets };
}

/** Masks so many generated dialogues of each language, and counts. */
export function measureRedaction(seed: number, dialogues: number): Map<string, RedactionScores> {
  return new Map(
    LANGUAGES.map((language, place) => {
      const random = new Random(seed * 1009 + place);
      const faults: string[] = [];
      let [secrets, masked, masks, right] = [0, 0, 0, 0];
      for (let dialogue = 0; dialogue < dialogues; dialogue++) {
        const scene = sceneOf(language, random);
        const { parts } = redacted({ id: 'd', parts: scene.parts, metadata: {} });
        for (const [at, { body }] of parts.entries()) {
          const secret = scene.secrets[at];
          const found = body.match(MASK)?.length ?? 0;
          const isMasked = secret !== undefined && !body.includes(secret) && found > 0;
          if (secret !== undefined) secrets++;
          if (isMasked) masked++;
          masks += found;
          right += Math.min(found, isMasked ? 1 : 0);
          if (isMasked ? found > 1 : secret !== undefined || found > 0)
            faults.push(`${language.code}: ${scene.parts[at]?.body ?? ''} -> ${body}`);
        }
      }
      return [language.code, { secrets, masked, masks, right, faults }] as const;
    }),
  );
}
