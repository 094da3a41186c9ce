import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cleanBody, cleanSubject } from '../src/insight/conversations/domain/clean-message.js';
import { issueChanges } from '../src/insight/conversations/domain/issue-changes.js';
import { plainText } from '../src/insight/conversations/domain/plain-text.js';
import { impactOf, pulseOf } from '../src/insight/conversations/domain/pulse.js';
import { secondsToRebuild } from '../src/insight/conversations/domain/rebuild-policy.js';
import { isLuhn } from '../src/insight/conversations/domain/redaction/cards.js';
import { withoutNames } from '../src/insight/conversations/domain/redaction/names.js';
import { redacted, withoutNumbers } from '../src/insight/conversations/domain/redaction/redact.js';
import { deriveIssues } from '../src/insight/conversations/domain/issues.js';
import { tokenizeHtml } from '../src/formats/markdown/html.js';
import { SegmentMasker } from '../src/insight/translations/engines/domain/segment-masker.js';

const names = (text: string) => withoutNames([text])[0];

describe('numbers and addresses of people', () => {
  it.each([
    ['write to jane.doe@example.com or <john_x@sub.example.co.uk>.', 'write to [email] or <[email]>.'],
    ['müller@exämple.de, jane\\_doe\\@example.com', '[email], [email]'],
    ['https://example.com/?user=jane%40example.com&x', 'https://example.com/?user=[email]&x'],
    ['メールはtanaka@example.comです。请发到zhang.san@example.co.jp谢谢', 'メールは[email]です。请发到[email]谢谢'],
    ['이메일은 kim@example.com입니다, 用户@例子.公司', '이메일은 [email]입니다, [email]'],
    ['@handle, a@b, 5 @ 3.50 and user@localhost', '@handle, a@b, 5 @ 3.50 and user@localhost'],
  ])('%s', (text, wanted) => expect(withoutNumbers(text)).toBe(wanted));

  it.each([
    ['4111 1111 1111 1111 exp 12/27', '[card] exp 12/27'],
    ['5500-0000-0000-0004, 378282246310005.', '[card], [card].'],
    ['6011000990139424 and 2223003122003222', '[card] and [card]'],
    [
      'カード番号は4111111111111111です。卡号４１１１　１１１１　１１１１　１１１１。',
      'カード番号は[card]です。卡号[card]。',
    ],
    ['4111 1111 1111 1112', '4111 1111 1111 1112'],
    ['order 1234567890123456', 'order 1234567890123456'],
  ])('%s', (text, wanted) => expect(withoutNumbers(text)).toBe(wanted));

  it.each([
    ['+1 (415) 555-2671, (415) 555-2671, 415.555.2671, 4155552671', '[phone], [phone], [phone], [phone]'],
    ['tel 0170 1234567, 020 7946 0958, +49 30 901820, 0044 20 7946 0958', 'tel [phone], [phone], [phone], [phone]'],
    ['llámame al 612 345 678; my phone: 55 1234 5678', 'llámame al [phone]; my phone: [phone]'],
    ['01 23 45 67 89 ou 06 12 34 56 78', '[phone] ou [phone]'],
    [
      'Phone:415-555-2671, tel:0170/1234567, 415\u2011555\u20112671, 06.12.34.56.78',
      'Phone:[phone], tel:[phone], [phone], [phone]',
    ],
    [
      '電話は090-1234-5678です。電話：０９０－１２３４－５６７８、090ー1234ー5678',
      '電話は[phone]です。電話：[phone]、[phone]',
    ],
    [
      '전화번호는 010-1234-5678입니다. 请打13812345678给我, โทร081-234-5678ครับ',
      '전화번호는 [phone]입니다. 请打[phone]给我, โทร[phone]ครับ',
    ],
    ['Мой телефон 8 (912) 345-67-89, رقمي ٠١٠١٢٣٤٥٦٧٨', 'Мой телефон [phone], رقمي [phone]'],
    [
      '注文番号は1234567890です、订单号13812345678, id:4155552671, 10:30:00.123456789',
      '注文番号は1234567890です、订单号13812345678, id:4155552671, 10:30:00.123456789',
    ],
    ['order 4155552671, ticket 2023-001234, id #12345678', 'order 4155552671, ticket 2023-001234, id #12345678'],
    [
      '1.2.3.4, 192.168.100.200, 2026-01-15 10:30, 15.01.2026, 1 234 567',
      '1.2.3.4, 192.168.100.200, 2026-01-15 10:30, 15.01.2026, 1 234 567',
    ],
    [
      '$1200000000, 0x80070005, 1700000000000, v10.20.30, 100%',
      '$1200000000, 0x80070005, 1700000000000, v10.20.30, 100%',
    ],
  ])('%s', (text, wanted) => expect(withoutNumbers(text)).toBe(wanted));

  it.each([
    ['https://desk.example.com/tickets/48213?view=1', true],
    ['https://desk.example.com/tickets/4155552671', true],
    ['https://desk.example.com/a%20b/%zz/4155552671?ticketId=4155552671&t=1732250000', true],
    ['https://desk.example.com/?user=jane%40example.com', false],
    ['https://desk.example.com/calls/+491701234567', false],
    ['https://desk.example.com/?from=%2B49%20170%201234567', false],
    ['https://desk.example.com/?caller=415-555-2671', false],
    ['https://desk.example.com/?x=1&customer_phone=55%201234%205678#top', false],
    ['https://desk.example.com/pay?c=4111111111111111', false],
    ['https://desk.example.com/pay/4111%201111%201111%201111', false],
  ])('decide whether the address %s is kept: %s', (url, isKept) => {
    expect(redacted({ id: '1', parts: [], metadata: { url } }).metadata).toEqual(isKept ? { url } : {});
  });

  it('know the check digit', () => {
    expect(['79927398713', '4242424242424242', '0'].map(isLuhn)).toEqual([true, true, true]);
    expect(['79927398710', '4242424242424241'].map(isLuhn)).toEqual([false, false]);
  });

  it('are gone, and gone is gone, in whatever text they stand', () => {
    const email = fc.constantFrom('jane@example.com', 'a.b+c@mail.example.org', 'x_y@ex-ample.io');
    const card = fc.constantFrom('4111111111111111', '4111 1111 1111 1111', '3782-822463-10005');
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '.', ',', '\n', '(', ')', '-', '*', '>', '[', 'é', '7') });
    fc.assert(
      fc.property(text, email, text, card, text, (before, mail, between, number, after) => {
        const masked = withoutNumbers(`${before} <${mail}> ${between}; ${number}; ${after}`);
        expect(masked).not.toContain(mail);
        expect(masked).not.toContain(number);
        expect(withoutNumbers(masked)).toBe(masked);
      }),
      { numRuns: 200 },
    );
  });
});

describe('names', () => {
  it.each([
    ['Hi Jane,\nthe export fails.', 'Hi [name],\nthe export fails.'],
    ['hi maria, it works', 'hi [name], it works'],
    ['Hello **Bob** and Alice!', 'Hello **[name]** and [name]!'],
    ['Dear Mr. Smith,', 'Dear Mr. [name],'],
    ['Hey Tom I cannot log in', 'Hey [name] I cannot log in'],
    ['Sehr geehrte Frau Dr. Müller-Lüdenscheidt,', 'Sehr geehrte Frau Dr. [name],'],
    ['Bonjour Élodie,', 'Bonjour [name],'],
    ['Hola Señora García:', 'Hola Señora [name]:'],
    ['Здравствуйте, Иван!', 'Здравствуйте, [name]!'],
    ['田中様、お客様、王先生您好', '[name]様、お客様、[name]先生您好'],
    ['x\n\nBest regards,\nJohn van Smith\nAcme Corp', 'x\n\nBest regards,\n[name]\nAcme Corp'],
    ['x\n\nMit freundlichen Grüßen\\\nHugo Boss', 'x\n\nMit freundlichen Grüßen\\\n[name]'],
    ['It works. Thanks, Jane', 'It works. Thanks, [name]'],
    ['Call me. Kind regards, **Bob Miller**', 'Call me. Kind regards, **[name]**'],
    ['I am **Jane Doe**. It fails.', 'I am **[name]**. It fails.'],
    ["I'm Jane, my card is lost", "I'm [name], my card is lost"],
    ['my name is hugo, it fails', 'my name is [name], it fails'],
    [
      '田中と申します。私の名前は山田です。我叫王伟，无法登录',
      '[name]と申します。私の名前は[name]です。我叫[name]，无法登录',
    ],
    ['It works.\nThanks, Jane', 'It works.\nThanks, [name]'],
    ['It works.\n— Kim', 'It works.\n— [name]'],
    ['My name is Rosa Lopez and I pay.', 'My name is [name] and I pay.'],
    ['this is Ann from Acme', 'this is [name] from Acme'],
    ['> Hi Rita,\n> it works\n\nRita wrote this.', '> Hi [name],\n> it works\n\n[name] wrote this.'],
    [
      'On Jan 5, 2026 at 10:00 AM John Smith <[email]> wrote:\n> From: Ada Ng <[email]>\n> Use the List <T>',
      'On Jan 5, 2026 at 10:00 AM [name] <[email]> wrote:\n> From: [name] <[email]>\n> Use the List <T>',
    ],
    ['Hi Will, will you go? Will it work?', 'Hi [name], will you go? Will it work?'],
  ])('%s', (text, wanted) => expect(names(text)).toBe(wanted));

  it.each([
    'Hi there,',
    'Hello team,',
    'Dear Sir or Madam,',
    'Hi Support Team,',
    'Thanks! Works now.',
    'Best\nThe export fails',
    'I am Premium user',
    'Regards the Export function',
    '- Settings\n- Export',
    'Hello everyone, Safari fails',
    'It works. Thanks, Google sent it.',
    'This is Google Chrome.',
    'My name is wrong, please change it',
    'my name is on two accounts',
    'Ich bin Kunde, und es geht nicht',
  ])('are none in: %s', (text) => expect(names(text)).toBe(text));

  it('are gone from a whole conversation once they are known', () => {
    const conversation = {
      id: '1',
      subject: 'From Ottoline',
      parts: [
        { type: 'message', role: 'user', body: 'Hello,\nI cannot pay.\nRegards\nOttoline Weir' },
        { type: 'message', role: 'team-member', body: "Ottoline's card is new, Mrs Weir." },
      ],
      metadata: {
        attributes: { plan: 'Weir Ltd', 'Full name': 'O. W.', productName: 'Bindery', phone: '1234' },
        url: 'https://example.com/1',
        createdAt: '2026-01-01T00:00:00Z',
      },
    } as const;
    expect(redacted(conversation)).toEqual({
      ...conversation,
      subject: 'From [name]',
      parts: [
        { type: 'message', role: 'user', body: 'Hello,\nI cannot pay.\nRegards\n[name]' },
        { type: 'message', role: 'team-member', body: "[name]'s card is new, Mrs [name]." },
      ],
      metadata: {
        ...conversation.metadata,
        attributes: { plan: '[name] Ltd', 'Full name': '[name]', productName: 'Bindery', phone: '[phone]' },
      },
    });
  });
});

describe('bodies', () => {
  it.each([
    ['Just **Markdown** with a list:\n\n- one\n- two', 'Just **Markdown** with a list:\n\n- one\n- two'],
    ['<p>Hello</p><ul><li>one<li>two</ul>', 'Hello\n\n* one\n* two'],
    ['Hi team,<div>it is <b>broken</b></div>', 'Hi team,\n\nit is **broken**'],
    [
      '<html><head><title>T</title><style>p{}</style></head><body><script>alert(1)</script><p onclick="x()">Text</p></body></html>',
      'Text',
    ],
    ['<table><tr><td>Layout</td><td>only</td></tr></table>', 'Layout\n\nonly'],
    ['<table><tr><th>A</th></tr><tr><td>1</td></tr></table>', '| A |\n| - |\n| 1 |'],
    [
      '<p><a href="javascript:x()">bad</a> <a href="https://a.example/b">good</a><img src="cid:1" alt="logo"></p>',
      'bad [good](https://a.example/b)logo',
    ],
    ['<div style="display:none">tracking</div><p>seen</p>', 'seen'],
    ['My <your-key> is <b>bold</b><br>next <script>alert(1)</script>', 'My <your-key> is bold\nnext'],
    ['Use `<div>`:\n```html\n<div>code</div>\n```', 'Use `<div>`:\n```html\n<div>code</div>\n```'],
    ['5 < 6 and a<b', '5 < 6 and a<b'],
    ['one\r\ntwo', 'one\ntwo'],
  ])('%s', (body, wanted) => expect(cleanBody(body)).toBe(wanted));

  it('are read in time, however they are nested', () => {
    const begin = performance.now();
    expect(cleanBody(`${'<div>'.repeat(20_000)}deep`)).toBe('');
    expect(cleanBody(`<p>seen</p>${'<template>'.repeat(4_000)}`)).toBe('seen');
    for (const nested of ['1. ', '+ ', '- 1) ', '> 1. ', '  * 2. '])
      expect(plainText(`Before\n\n${nested.repeat(1_300)}`)).toContain('Before');
    for (const part of ['a@', '1 ', '+1 ', 'Hi ', '\n', '*', 'Thanks\n', 'Jane ', '<', '`', '> ', '\n—', '0 ']) {
      const body = cleanBody(part.repeat(20_000 / part.length));
      redacted({ id: '', parts: [{ type: 'message', role: 'user', body }], metadata: {} });
    }
    expect(performance.now() - begin).toBeLessThan(30_000);
  });

  it('never leave a tag of HTML', () => {
    const piece = fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '</b>',
      '<script>',
      '</script>',
      '<div',
      '>',
      'text',
      ' ',
      '\n',
      '<br/>',
      '<img src=x onerror=y>',
      '"',
      '<!--',
      '-->',
      '&lt;',
      '<table>',
      '<td>',
      '<a href="data:x">',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const clean = cleanBody(pieces.join(''))
          .replace(/\\</g, '')
          .replace(/`[^`]*`/g, '');
        expect(clean).not.toMatch(/<(?:p|b|script|img|table|td|br)\b[^>]*>/i);
      }),
      { numRuns: 300 },
    );
  });

  it('are one line as a subject', () => expect(cleanSubject(' <b>Export</b>\n fails ')).toBe('Export fails'));

  it('say in plain text what their writers say themselves', () => {
    expect(
      plainText(
        'It **fails**, see [the log](https://example.com):\n\n```\nError\n```\n\n> They wrote this\n\n- one\n- `two`',
      ),
    ).toBe('It fails, see the log:\n\none\n\ntwo');
    expect(plainText('Nothing to do here.')).toBe('Nothing to do here.');
  });
});

describe('hostile bodies', () => {
  it.each([
    '>',
    '> ',
    '[',
    '- ',
    '1. ',
    '+ ',
    '\n',
    '*a_',
    '**a ',
    '_a_',
    '![',
    '](',
    '`a',
    '<a ',
    '&',
    '<b>',
    '<b><p>',
    '<p>x</p>',
    '<table>',
    '<template>',
    '<svg>',
    '<!--',
    '<a href="',
    '<font><b><i>',
    'x@y.z ',
    '%40',
    '4111 1111 ',
    '+1 ',
    'Hi ',
    'Hi A and ',
    'I am Jane ',
    'my name is x ',
    '. Thanks, Jane',
    '\n— A',
    '私の名前は',
    'と申します',
    '{{',
    '--a',
    './',
    'a::',
    'https://',
    '\u00a0',
    '\t',
    '𠮷',
  ])('of %j are read in no time', (piece) => {
    const begin = performance.now();
    for (const start of ['a', '']) {
      const body = `${start}${piece.repeat(20_000 / piece.length)}b`;
      const read = plainText(cleanBody(body));
      redacted({ id: '', parts: [{ type: 'message', role: 'user', body }], metadata: {} });
      deriveIssues({
        messages: [
          { role: 'customer', text: read },
          { role: 'customer', text: body.slice(0, 4_000) },
        ],
      });
      new SegmentMasker(
        'words',
        [
          { source: 'space', target: 'x' },
          { source: '設定', target: 'y' },
        ],
        'en',
      ).hide([body]);
      tokenizeHtml(body);
    }
    expect(performance.now() - begin).toBeLessThan(10_000);
  });
});

describe('numbers of a cluster', () => {
  it('are those of thirteen weeks and of all sources', () => {
    const { weeklyPulse, sources } = pulseOf([
      { source: 'email', week: 0, issues: 2 },
      { source: 'email', week: -1, issues: 1 },
      { source: 'b', week: 12, issues: 4 },
      { source: 'b', week: 13, issues: 8 },
    ]);
    expect(weeklyPulse).toEqual([4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
    expect(sources).toEqual({ b: 12, email: 3 });
  });

  it('tell its share, and how the recent weeks compare with those before', () => {
    expect(impactOf([9, 9, 9, 9, 9, 1, 1, 1, 1, 2, 2, 1, 1], 60, 240)).toEqual({
      share: 0.25,
      recentIssues: 6,
      earlierIssues: 4,
      growth: 0.5,
    });
    expect(impactOf([9, 9, 9, 9, 9, 0, 0, 0, 0, 1, 0, 0, 2], 48, 48)).toEqual({
      share: 1,
      recentIssues: 3,
      earlierIssues: 0,
    });
    expect(impactOf([0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0], 0, 0)).toEqual({
      share: 0,
      recentIssues: 0,
      earlierIssues: 4,
      growth: -1,
    });
  });
});

describe('rebuilding', () => {
  it('is at once at first, then the sooner the more has changed', () => {
    expect(secondsToRebuild({ built: 0, changed: 0, isReading: false, isOutdated: false })).toBeUndefined();
    expect(secondsToRebuild({ built: 0, changed: 1, isReading: false, isOutdated: false })).toBe(0);
    expect(secondsToRebuild({ built: 0, changed: 1999, isReading: true, isOutdated: false })).toBeUndefined();
    expect(secondsToRebuild({ built: 100, changed: 2000, isReading: true, isOutdated: false })).toBe(0);
    expect(secondsToRebuild({ built: 100, changed: 20, isReading: false, isOutdated: false })).toBe(20);
    expect(secondsToRebuild({ built: 5000, changed: 20, isReading: false, isOutdated: false })).toBe(500);
    expect(secondsToRebuild({ built: 500_000, changed: 1, isReading: false, isOutdated: false })).toBe(3600);
  });

  it('is soon where an older engine has built, even if nothing has changed, but not before all is read', () => {
    expect(secondsToRebuild({ built: 5000, changed: 0, isReading: false, isOutdated: true })).toBe(20);
    expect(secondsToRebuild({ built: 5000, changed: 1, isReading: false, isOutdated: true })).toBe(20);
    expect(secondsToRebuild({ built: 5000, changed: 0, isReading: true, isOutdated: true })).toBeUndefined();
  });

  it('keeps issues that say the same', () => {
    const stored = [
      { id: 'a', conversationId: '1', text: 'x', clusterId: 'k' },
      { id: 'b', conversationId: '1', text: 'x', clusterId: null },
      { id: 'c', conversationId: '2', text: 'x', clusterId: null },
    ];
    const { issues, removed } = issueChanges(stored, [
      { id: 'n', conversationId: '1', text: 'x' },
      { id: 'm', conversationId: '1', text: 'y' },
    ]);
    expect(issues.map(({ id }) => id)).toEqual(['a', 'm']);
    expect(removed.map(({ id }) => id)).toEqual(['b', 'c']);
  });
});
