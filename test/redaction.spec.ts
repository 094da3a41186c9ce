import { describe, expect, it } from '@jest/globals';
import { measureRedaction } from '../bench/redaction/redaction.js';
import { redacted } from '../src/insight/conversations/domain/redaction/redact.js';

const SEED = Number(process.env['SEED'] ?? 1);
const DIALOGUES = Number(process.env['ROUNDS'] ?? 60);

/** The texts of customers behind the redaction, in a conversation with an agent that asks. */
const maskedIn = (...bodies: readonly string[]): string[] =>
  redacted({
    id: '1',
    parts: bodies.map((body, at) => ({ type: 'message', role: at % 2 === 0 ? 'user' : 'team-member', body })),
    metadata: {},
  })
    .parts.filter((_, at) => at % 2 === 0)
    .map(({ body }) => body);

describe(`secrets of generated dialogues (SEED=${SEED})`, () => {
  const scores = measureRedaction(SEED, DIALOGUES);

  it.each([...scores.keys()])('are masked, and little else is: %s', (code) => {
    const { secrets, masked, masks, right, faults } = scores.get(code) ?? {
      faults: [],
      secrets: 0,
      masked: 0,
      masks: 0,
      right: 0,
    };
    expect(secrets).toBeGreaterThan(DIALOGUES);
    const told = faults.slice(0, 5);
    expect([masked / secrets >= 0.99, told.length === 0 || right / masks >= 0.93, told]).toEqual([
      true,
      true,
      expect.anything(),
    ]);
  });

  it('are masked in 99 of 100 cases, and 95 of 100 masks stand for one', () => {
    const sum = { secrets: 0, masked: 0, masks: 0, right: 0 };
    for (const each of scores.values())
      for (const key of ['secrets', 'masked', 'masks', 'right'] as const) sum[key] += each[key];
    expect(sum.masked / sum.secrets).toBeGreaterThanOrEqual(0.99);
    expect(sum.right / sum.masks).toBeGreaterThanOrEqual(0.95);
  });
});

describe('redaction', () => {
  it.each([
    ['My policy number would be 848318752.', 'My policy number would be [policy].'],
    ['The SSN to my name is 469-29-9659.', 'The SSN to my name is [id number].'],
    ['my zip code is 44273', 'my zip code is [street]'],
    ['the number is 468646993', 'the number is [number]'],
    ['hi my name is george smith and i call', 'hi my name is [name] and i call'],
    ['My name is Ann and I’ve a question.', 'My name is [name] and I’ve a question.'],
    ['I was born on Sep. 20, 1962.', 'I was born on [birth date].'],
    ['Ich wohne am Kaiser-Friedrich-Ring 33, 65185 Wiesbaden.', 'Ich wohne am [street].'],
    // Numbers with another meaning.
    ['In order to test 3000 pages', 'In order to test 3000 pages'],
    ['The client 10.4.22 fails with error 50012.', 'The client 10.4.22 fails with error 50012.'],
    ['My account has 2500 credits, since 2019.', 'My account has 2500 credits, since 2019.'],
    ['This is Google Chrome.', 'This is Google Chrome.'],
    ['The file name is invalid.', 'The file name is invalid.'],
  ])('of %s', (text, wanted) => expect(maskedIn(text)).toEqual([wanted]));

  it('masks answers to questions for a name or a number, and no others', () => {
    expect(maskedIn('Hello', 'What are the last four digits of your card?', '4711')).toEqual(['Hello', '[card]']);
    expect(maskedIn('Hello', 'May I have your full name?', 'ada lovelace')).toEqual(['Hello', '[name]']);
    expect(maskedIn('Hello', 'May I have your full name?', 'no')).toEqual(['Hello', 'no']);
    expect(maskedIn('Hello', 'Which port is it?', '8080')).toEqual(['Hello', '8080']);
  });

  it('leaves addresses of the web with numbers of orders as they are', () => {
    const url = 'https://shop.example.com/orders/order-123456';
    expect(redacted({ id: '1', parts: [], metadata: { url } }).metadata).toEqual({ url });
  });
});
