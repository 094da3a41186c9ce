import { describe, expect, it } from '@jest/globals';
import { writtenDialogues } from '../bench/dialogues/dialogues.js';
import { deriveIssues } from '../src/insight/conversations/domain/issues.js';
import { expectationAfter, judged, type Expectation } from '../src/insight/conversations/domain/turn-acts.js';

const actOf = (text: string, language = 'en', expected: Expectation = 'none'): string =>
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
    ]).toEqual(['answer', 'demand', 'matter', 'matter', 'matter', 'demand', 'none', 'none', 'none']);
    expect([actOf('a seat at the window', 'en', 'answer'), actOf('a seat at the window')]).toEqual([
      'answer',
      'statement',
    ]);
  });
});

describe('complaints, wishes and orders', () => {
  const FIELDS: Readonly<Record<string, readonly string[]>> = {
    en: ['password', 'PIN', 'company account', 'account', 'booking', 'confirmation', 'order', 'ticket', 'policy']
      .concat(['customer number', 'phone', 'mobile', 'contact', 'e-mail', 'address', 'date of birth'])
      .flatMap((field) => [`My ${field} is broken`, `My ${field} is wrong`, `The ${field} was not saved`])
      .concat(['My account is suspended and I want my money back', 'My order is stuck', 'Account locked']),
    de: ['Das Konto', 'Das Telefon', 'Die Bestellung', 'Die Rechnung', 'Die Adresse', 'Der Name'].flatMap((field) => [
      `${field} ist kaputt`,
      `${field} stimmt nicht`,
    ]),
    es: ['cuenta', 'pedido', 'teléfono', 'dirección'].map((field) => `Mi ${field} no funciona`),
    fr: ['Mon téléphone', 'Mon compte', 'Ma commande'].map((field) => `${field} ne marche pas`),
    it: ['Il mio telefono', 'Il mio ordine', 'Il mio conto'].map((field) => `${field} non funziona`),
    nl: ['Mijn telefoon', 'Mijn naam', 'Mijn adres'].map((field) => `${field} klopt niet`),
  };
  const OTHERS = [
    'Nichts mehr geht seit gestern',
    'Das ist alles kaputt',
    'I would like to switch to a fixed rate',
    "I'm done waiting for my refund",
    'That is all broken, the lamp and the shade',
    'Please get the bug fixed',
    'My repair should be resolved by now',
    'I wish the heating would be fixed',
    'Mi teléfono está roto',
    'Mon téléphone est cassé',
    "Rien d'autre ne marche dans mon application",
    'No need to call me, cancel my order',
    'C’est tout cassé',
    'My name is misspelled',
    'My order came twice',
    'I am locked out of the portal',
    'Order cancelled',
    'My name is wrong on the bill',
    'Order 2 lamps for me',
    'Я оплатил 2 раза',
    'My name appears twice on the bill',
    'Charged 50 twice',
    "J'ai réglé ma facture deux fois",
    '我的手机坏了',
    '屏幕黑了',
    '我付了2次钱',
    '请取消我的订单',
    '商品が2つ届きました',
    '請求が2回ありました',
    '昨日から画面が真っ黒です',
    '荷物がまだ届いていません',
    '私のアカウントがロックされました',
  ];

  it.each(Object.entries(FIELDS).flatMap(([language, texts]) => texts.map((text) => [language, text] as const)))(
    'about a field of a person stay, %s: %s',
    (language, text) => {
      expect(actOf(text, language)).toBe('complaint');
      expect(titlesOf(text)).toHaveLength(1);
    },
  );

  it.each(OTHERS)('are no courtesy, no end of a conversation and no detail: %s', (text) => {
    expect(titlesOf(text)).toHaveLength(1);
  });

  it.each([
    ['My last name is Berger', 'en'],
    ['name: nora lindqvist', 'en'],
    ['My phone number is 030 901820', 'en'],
    ['account no. k z 5623', 'en'],
    ['I am Nora Lindqvist', 'en'],
    ['My e-mail address is [email]', 'en'],
    ['Mein Name ist Nora Lindqvist', 'de'],
    ['Me llamo Nora', 'es'],
  ])('are not: %s', (text, language) => expect(actOf(text, language)).toBe('detail'));

  it.each([
    ['That is all I needed, thank you so much', 'en'],
    ['no thanks, nothing else', 'en'],
    ['My problem is solved', 'en'],
    ['No more issues, thanks', 'en'],
    ['Das Problem ist gelöst', 'de'],
    ['Nein, nichts mehr, danke', 'de'],
    ['Nada más, gracias', 'es'],
    ["C'est tout, merci", 'fr'],
  ])('are not: %s', (text, language) => expect(actOf(text, language)).toBe('courtesy'));

  it('stay after an agent who is polite, and where they announce another matter after a question', () => {
    expect(
      titlesOf(
        'How do I change my address?',
        '> Please give me a moment.',
        'My last invoice has the wrong amount of tax',
      ),
    ).toHaveLength(2);
    expect(
      titlesOf(
        'How do I change my address?',
        '> Which street is it?',
        'Elm Street. Also, I want to cancel the newspaper subscription',
      ),
    ).toHaveLength(2);
  });

  it('are told with the answer after a vague opening', () => {
    for (const question of ["What's the problem?", 'What happened?', 'What is going wrong?'])
      expect(expectationAfter({ role: 'agent', text: question })).toBe('matter');
    const [issue] = deriveIssues(
      dialogue('Something is wrong here', '> Which device is it?', 'the router in the living room blinks red'),
    );
    expect(issue?.text).toContain('router');
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
        const sources = issues.map(({ title }) =>
          asked.findIndex((text) => text.includes(title.replace(/\.$/, '').slice(1))),
        );
        return {
          asked: asked.length,
          right: new Set(sources.filter((source) => source >= 0)).size,
          wrong: sources.filter((source) => source < 0),
          issues: issues.length,
        };
      });
      const sum = (key: 'asked' | 'right' | 'issues'): number => found.reduce((total, each) => total + each[key], 0);
      // Each issue is a request, each request at most one issue, and few requests have none.
      expect({
        name,
        isFound: sum('right') / sum('asked') > 0.93,
        wrong: found.flatMap(({ wrong }) => wrong),
        issues: sum('issues'),
      }).toEqual({ name, isFound: true, wrong: [], issues: sum('right') });
    }
  });
});
