import { describe, expect, it } from '@jest/globals';
import { writtenDialogues } from '../bench/dialogues/dialogues.js';
import { deriveIssues } from '../src/insight/conversations/domain/issues.js';
import { expectationAfter, judged } from '../src/insight/conversations/domain/turn-acts.js';

const actOf = (text: string, language = 'en', expected: 'none' | 'answer' | 'matter' = 'none'): string =>
  judged(text, language, expected).act;
const dialogue = (...turns: string[]) => ({
  messages: turns.map((text) =>
    text.startsWith('> ') ? { role: 'agent', text: text.slice(2) } : { role: 'customer', text },
  ),
});
const titlesOf = (...turns: string[]): string[] => deriveIssues(dialogue(...turns)).map(({ title }) => title);

describe('acts of turns', () => {
  it('are told apart by words', () => {
    expect(
      [
        'I want to close my account',
        'Please send me the invoice of March',
        'My card was declined in the shop',
        'How do I change my address?',
        'I ordered a lamp last week',
        'My last name is Berger',
        'order 20418 77',
        'Thanks, have a nice day',
        'no that is all',
        'It is solved now',
        'yes the second one',
      ].map((text) => actOf(text)),
    ).toEqual([
      'request',
      'request',
      'complaint',
      'question',
      'statement',
      'detail',
      'detail',
      'courtesy',
      'courtesy',
      'courtesy',
      'answer',
    ]);
  });

  it('are told apart in other languages', () => {
    expect([
      actOf('Ich möchte meinen Vertrag kündigen', 'de'),
      actOf('Die Lampe ist kaputt', 'de'),
      actOf('Das war alles', 'de'),
      actOf('Quiero cancelar mi pedido', 'es'),
      actOf('¿Dónde está mi paquete?', 'es'),
      actOf("C'est tout", 'fr'),
      actOf('Je souhaite annuler ma commande', 'fr'),
      actOf('注文をキャンセルしたいです', 'ja'),
      actOf('以上です', 'ja'),
      actOf('我想取消订单', 'zh'),
    ]).toEqual([
      'request',
      'complaint',
      'courtesy',
      'request',
      'question',
      'courtesy',
      'request',
      'request',
      'courtesy',
      'request',
    ]);
  });

  it('follow from what the agent has asked', () => {
    const agent = (text: string) => expectationAfter({ role: 'agent', text });
    expect([
      agent('Which seat do you prefer?'),
      agent('Please tell me your order number.'),
      agent('How can I help you today?'),
      agent('Is there anything else?'),
      agent('Wie kann ich Ihnen helfen?'),
      agent('Nennen Sie mir bitte Ihre Anschrift.'),
      agent('I have sent it.'),
      expectationAfter({ role: 'customer', text: 'Hello?' }),
      expectationAfter(undefined),
    ]).toEqual(['answer', 'answer', 'matter', 'matter', 'matter', 'answer', 'none', 'none', 'none']);
    expect([actOf('a seat at the window', 'en', 'answer'), actOf('a seat at the window')]).toEqual([
      'answer',
      'statement',
    ]);
  });
});

describe('issues of dialogues', () => {
  it('are what the customer wants, not what the agent asks for', () => {
    expect(
      titlesOf(
        'hello',
        '> Good morning, how can I help you?',
        'I want to change the seat of my flight',
        '> May I have your name and the booking number?',
        'Nora Lindqvist, booking kz 5623',
        '> Which seat would you like?',
        'I need one at the window please',
        '> Done. Anything else?',
        'no thanks, that is all',
      ),
    ).toEqual(['I want to change the seat of my flight']);
  });

  it('are two where the customer accepts the offer of further help', () => {
    expect(
      titlesOf(
        'My parcel has not arrived yet',
        '> I see. It comes tomorrow. Is there anything else I can do for you?',
        'Can you send me an invoice?',
      ),
    ).toEqual(['My parcel has not arrived yet', 'Can you send me an invoice?']);
  });

  it('are told in the fewest sentences, with others where these say little', () => {
    const [long] = deriveIssues(
      dialogue(
        'I bought a lamp in your shop in May. It looked nice in the picture. Can I return the lamp without its box?',
      ),
    );
    expect(long?.text).toBe('Can I return the lamp without its box?');
    const [short] = deriveIssues(dialogue('I bought a lamp in your shop in May. Can I return it?'));
    expect(short?.text).toContain('lamp');
  });

  it('come from requests in written dialogues of four domains', () => {
    for (const { name, dialogues } of writtenDialogues()) {
      const found = dialogues.map((turns) => {
        const asked = turns
          .filter(({ intents }) => intents.length > 0)
          .map(({ text }) => text.replace(/\d{5}/g, '[number]'));
        const issues = deriveIssues({ messages: turns.map(({ role, text }) => ({ role, text })) });
        return {
          asked: asked.length,
          right: asked.filter((text) => issues.some(({ title }) => text.includes(title.replace(/\.$/, '').slice(1))))
            .length,
          issues: issues.length,
        };
      });
      const sum = (key: 'asked' | 'right' | 'issues'): number => found.reduce((total, each) => total + each[key], 0);
      expect({
        name,
        isFound: sum('right') / sum('asked') > 0.9,
        isPrecise: sum('issues') <= sum('asked') * 1.05,
      }).toEqual({ name, isFound: true, isPrecise: true });
    }
  });
});
