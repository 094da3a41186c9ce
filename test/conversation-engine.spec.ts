import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { scoresOf } from '../bench/clustering-scores.js';
import { continueClusters } from '../src/insight/conversations/domain/cluster-continuity.js';
import { deriveIssues } from '../src/insight/conversations/domain/issues.js';
import { labelsOf } from '../src/insight/conversations/domain/labels.js';
import { detectLanguage } from '../src/insight/conversations/domain/detect-language.js';
import { termsOf } from '../src/insight/conversations/domain/terms.js';
import { ConversationEngine, type IssueText, type Rebuild } from '../src/insight/conversations/engine/engine.js';
import { EngineThread } from '../src/insight/conversations/engine/engine-thread.js';
import { Outbound } from '../src/kernel/platform/outbound/outbound.js';
import { MATTERS } from './conversation-texts.js';

const NO_SERVICES = {
  conversationsLlm: false,
  embeddingsUrl: undefined,
  embeddingsApiKey: undefined,
  embeddingsModel: undefined,
  llmUrl: undefined,
  llmApiKey: undefined,
  llmModel: undefined,
};
const engineWith = (settings: object): ConversationEngine =>
  new ConversationEngine({ ...NO_SERVICES, sentenceModel: false, ...settings }, new Outbound({ outboundAllow: [] }));
const plainEngine = engineWith({});
afterAll(() => plainEngine.onApplicationShutdown());

const said = (...texts: string[]) => ({ messages: texts.map((text) => ({ role: 'customer', text })) });
const issuesIn = (language: string): IssueText[] =>
  Object.entries(MATTERS[language] ?? {}).flatMap(([matter, texts]) =>
    texts.map((text, index) => ({ id: `${matter} ${index}`, text })),
  );
const matterOf = (id: string): string => id.replace(/ \d+$/, '');
const shapeOf = ({ clusters }: Rebuild): unknown =>
  clusters.map(({ title, issueIds }) => [title, [...issueIds].sort()]).sort();

describe('deriving issues', () => {
  const titlesOf = (...texts: string[]): string[] => deriveIssues(said(...texts)).map(({ title }) => title);

  it('takes the sentence that says what is wanted, without greetings and names', () => {
    expect(
      deriveIssues({
        messages: [
          {
            role: 'customer',
            text: 'Hi there, my name is Hugo Miller.\nI cannot reset my password, Hugo@example.com gets no mail. Thanks!',
          },
          { role: 'agent', text: 'Hi Hugo, we have sent another link.' },
          { role: 'customer', text: 'Great, that works now. Thank you' },
        ],
      }),
    ).toEqual([
      {
        title: 'I cannot reset my password, [email] gets no mail.',
        summary: 'I cannot reset my password, [email] gets no mail.',
        text: 'I cannot reset my password, [email] gets no mail.',
        language: 'en',
      },
    ]);
    expect(titlesOf('Hola, me llamo María López. No puedo descargar la factura de marzo. Gracias')).toEqual([
      'No puedo descargar la factura de marzo.',
    ]);
    expect(
      titlesOf(
        'Guten Tag, ich heiße Klaus. Wie kann Klaus Meier meine Rechnung ändern?\nMit freundlichen Grüßen\nKlaus Meier',
      ),
    ).toEqual(['Wie kann [name] meine Rechnung ändern?']);
    expect(titlesOf('お世話になっております。田中と申します。パスワードを再設定できません。')).toEqual([
      'パスワードを再設定できません。',
    ]);
    expect(titlesOf('你好，请问怎么取消订阅？谢谢！')).toEqual(['怎么取消订阅？']);
  });

  it('finds none where there are only greetings and thanks, in any language', () => {
    expect(titlesOf('Hi!', 'Thanks, have a nice day.', 'ok', 'Yes please', 'Perfect, that worked! Bye')).toEqual([]);
    expect(
      titlesOf(
        'Hola! Muchas gracias',
        'Danke, alles klar',
        'Merci beaucoup',
        'ありがとうございます',
        '谢谢你',
        '감사합니다',
        'Спасибо',
      ),
    ).toEqual([]);
    expect(deriveIssues({ messages: [] })).toEqual([]);
    expect(deriveIssues({ messages: [{ role: 'agent', text: 'How do I reset my password?' }] })).toEqual([]);
  });

  it('finds several where the customer goes on to something else, but none in answers', () => {
    expect(titlesOf('How do I export my data to CSV? Also, can I get an invoice with our VAT number?')).toHaveLength(2);
    expect(
      titlesOf('How do I export my data to CSV?', 'My webhook deliveries are failing with status 500 since yesterday.'),
    ).toHaveLength(2);
    expect(titlesOf('My export fails.', 'The export stops at 50 percent with an error.')).toHaveLength(1);
    const answered = {
      messages: [
        { role: 'customer', text: 'How do I export my data?' },
        { role: 'agent', text: 'Which browser do you use?' },
        { role: 'customer', text: 'Firefox 140 on a Windows laptop, never updated' },
      ],
    };
    expect(deriveIssues(answered)).toHaveLength(1);
  });

  it('takes the subject where the messages say nothing, and leaves out what is quoted', () => {
    expect(
      deriveIssues({ subject: 'Re: Invoice for March is missing', ...said('Hi, please help. Thanks') }),
    ).toMatchObject([{ title: 'Invoice for March is missing' }]);
    expect(deriveIssues({ subject: 'Export to PDF fails', ...said('The export stops with an error') })).toMatchObject([
      { summary: 'Export to PDF fails. The export stops with an error' },
    ]);
    expect(deriveIssues({ subject: 'New ticket #123', ...said('Hello') })).toEqual([]);
    expect(
      titlesOf('The invoice is wrong.\n\nOn Monday, Support wrote:\n> Have you tried the export of your data?'),
    ).toEqual(['The invoice is wrong.']);
  });

  it('knows languages by their words and scripts', () => {
    expect(
      Object.entries(MATTERS).flatMap(([language, matters]) =>
        Object.values(matters)
          .flat()
          .filter((text) => detectLanguage(text) !== language),
      ),
    ).toHaveLength(0);
    expect(detectLanguage('Не могу войти в свой аккаунт, что делать?')).toBe('ru');
    expect(['', '12345', '🎉🎉', 'xyzzy'].map((text) => detectLanguage(text))).toEqual(['und', 'und', 'und', 'und']);
  });

  it('takes hostile texts in a moment', () => {
    const texts = [
      'a ',
      'x',
      '...',
      'hi ',
      '我',
      ' ',
      '1 ',
      '@',
      'a@',
      '? ',
      'Hi\n',
      'My name is ',
      'Aa ',
      'thanks, ',
      'i hope you ',
      '1-',
      'e\u0301',
      '\ud800',
      '\u0000',
      'ขอบคุณครับ',
      '[name] ',
      '"\'(',
    ].map((part) => part.repeat(Math.ceil(200_000 / part.length)));
    const start = performance.now();
    for (const text of texts)
      for (const { title, summary, text: compared } of deriveIssues({ subject: text, ...said(text) }))
        expect([title.length <= 120, summary.length <= 500, compared.length <= 800]).toEqual([true, true, true]);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe('ids of clusters', () => {
  const known = (id: string, issueIds: string[], isPinned = false) => ({ id, isPinned, issueIds });

  it('go on where most issues stay together', () => {
    expect(
      continueClusters(
        [
          ['a', 'b', 'c', 'd'],
          ['e', 'f'],
        ],
        [known('old', ['a', 'b', 'e']), known('gone', ['x', 'y'])],
      ),
    ).toEqual([
      { id: 'old', issueIds: ['a', 'b', 'c', 'd'] },
      { id: undefined, issueIds: ['e', 'f'] },
    ]);
    expect(continueClusters([['a'], ['b', 'c']], [])).toEqual([{ id: undefined, issueIds: ['b', 'c'] }]);
  });

  it('stay for pinned clusters, whatever becomes of their issues', () => {
    const merged = continueClusters(
      [['a', 'b', 'c', 'd', 'e']],
      [known('large', ['a', 'b', 'c']), known('pin', ['d'], true), known('other', ['e'], true)],
    );
    expect(merged).toEqual([
      { id: 'large', issueIds: ['a', 'b', 'c'] },
      { id: 'pin', issueIds: ['d'] },
      { id: 'other', issueIds: ['e'] },
    ]);
    expect(continueClusters([['a', 'b']], [known('first', ['a']), known('pin', ['b'], true)])).toEqual([
      { id: 'pin', issueIds: ['a', 'b'] },
    ]);
    expect(continueClusters([['a', 'b']], [known('empty', ['x'], true)])).toEqual([
      { id: undefined, issueIds: ['a', 'b'] },
      { id: 'empty', issueIds: [] },
    ]);
  });
});

describe('clustering', () => {
  it.each(Object.keys(MATTERS))('finds what texts in %s are about, and calls it by their words', async (language) => {
    const issues = issuesIn(language);
    const { clusters } = await plainEngine.rebuild(issues, []);
    const numbers = new Map(clusters.flatMap(({ issueIds }, cluster) => issueIds.map((id) => [id, cluster] as const)));
    const { nmi, ari } = scoresOf(
      issues.map(({ id }, index) => numbers.get(id) ?? clusters.length + index),
      issues.map(({ id }) => matterOf(id)),
    );
    expect([nmi > 85, ari > 80]).toEqual([true, true]);
    const titles = clusters.map(({ title }) => title.toLowerCase());
    for (const matter of Object.keys(MATTERS[language] ?? {}).slice(0, 2))
      expect(titles.filter((title) => title.includes(matter))).not.toEqual([]);
    for (const { summary, icon } of clusters)
      expect([summary.length > 10, /^[a-z-]+$/.test(icon)]).toEqual([true, true]);
  });

  it('calls no two clusters the same as long as their texts have other words', () => {
    const others = (word: string, count: number): string[] =>
      Array.from({ length: count }, (_, at) => `${word} ${word}${String.fromCharCode(97 + at)}`);
    const groups = [
      ['transfer failed', 'transfer failed', ...others('transfer', 6)],
      ['transfer missing', 'transfer missing', ...others('transfer', 6)],
      others('card', 20),
    ];
    const texts = groups.flat().map((text) => ({ text, ...termsOf(text, 'en') }));
    const rows = { rows: texts.length, columns: 1, data: new Float32Array(texts.length).fill(1) };
    let at = 0;
    const titles = labelsOf(
      texts,
      rows,
      groups.map((group) => group.map(() => at++)),
    ).map(({ title }) => title);
    expect(titles).toEqual(['Transfer failed', 'Transfer missing', 'Card']);
  });

  it('calls clusters by what is done or has happened, without names, numbers, greetings and words cut in two', async () => {
    const matters = [
      [
        'I want to close my bank account',
        'Please close my bank account with the number 20418871',
        'Good morning, this is Amanda Berger, how can I close my bank account?',
        'Can you close a bank account for me?',
        'Good morning, I would like to close the account, my name is Amanda',
      ],
      [
        'My card was declined in the shop',
        'Why was my card declined?',
        'The card was declined again, this is Amanda Berger',
        'Yesterday my card was declined at the petrol station',
        'Good morning, my card was declined',
      ],
      [
        'クレジットカードを盗まれました',
        'クレジットカードを盗まれました。',
        '昨日クレジットカードを盗まれました',
        'カードを盗まれました。',
      ],
    ];
    const issues = matters.flatMap((texts, matter) => texts.map((text, at) => ({ id: `${matter} ${at}`, text })));
    const texts = issues.map(({ text, id }) => ({ text, ...termsOf(text, id.startsWith('2') ? 'ja' : 'en') }));
    const rows = { rows: texts.length, columns: 1, data: new Float32Array(texts.length).fill(1) };
    const titles = labelsOf(
      texts,
      rows,
      matters.map((_, matter) => issues.flatMap(({ id }, at) => (id.startsWith(`${matter} `) ? [at] : []))),
    ).map(({ title }) => title);
    expect(titles.slice(0, 2)).toEqual(['Close bank account', 'Card was declined']);
    expect(titles[2]).toMatch(/盗まれました$/);
  });

  it('has a title of shared words, or a neutral one, where no phrase can be the title', () => {
    const titleOf = (...texts: string[]): string | undefined => {
      const labelled = texts.map((text) => ({ text, ...termsOf(text, 'en') }));
      const rows = { rows: texts.length, columns: 1, data: new Float32Array(texts.length).fill(1) };
      return labelsOf(labelled, rows, [texts.map((_, at) => at)])[0]?.title;
    };
    expect(titleOf('[name] [order]', '[name] [street]', '[email]')).toBe('Similar issues');
    expect(titleOf('This is Amanda Berger', 'My name is Hugo Miller', 'I am Nora Lindqvist')).toBe('Similar issues');
  });

  it('takes no word for a possessive that is one in another language only', () => {
    const titleOf = (language: string, ...texts: string[]): string | undefined => {
      const labelled = texts.map((text) => ({ text, ...termsOf(text, language) }));
      const rows = { rows: texts.length, columns: 1, data: new Float32Array(texts.length).fill(1) };
      return labelsOf(labelled, rows, [texts.map((_, at) => at)])[0]?.title;
    };
    const months = Array.from({ length: 4 }, () => 'Cobro del mes pasado duplicado');
    expect(titleOf('es', ...months)?.toLowerCase()).toContain('mes');
    expect(titleOf('fr', ...Array.from({ length: 4 }, () => 'Annuler mes commandes en retard'))).not.toMatch(/ mes /);
  });

  it('tells themes apart by their labels, from all of their clusters', () => {
    const texts = [
      ...Array.from({ length: 900 }, () => 'The card was declined'),
      ...Array.from({ length: 900 }, () => 'The card was stolen'),
      ...Array.from({ length: 300 }, () => 'The loan was declined'),
      ...Array.from({ length: 300 }, () => 'The loan was paid twice'),
    ].map((text) => ({ text, ...termsOf(text, 'en') }));
    const rows = { rows: texts.length, columns: 1, data: new Float32Array(texts.length).fill(1) };
    const numbers = texts.map((_, at) => at);
    const labels = labelsOf(texts, rows, [numbers.slice(0, 1800), numbers.slice(1800)]);
    expect(labels[0]?.title).toMatch(/card/i);
    expect(labels[1]?.title).toMatch(/loan/i);
    // Every sampled text is about a card.
    expect(labels[0]?.icon).toBe('credit-card');
  });

  it('gives the same for the same issues, in whatever order they come', async () => {
    const issues = issuesIn('en');
    const [first, second] = [
      await plainEngine.rebuild(issues, []),
      await plainEngine.rebuild([...issues].reverse(), []),
    ];
    expect(shapeOf(second)).toEqual(shapeOf(first));
    const ids = first.clusters.map((_, index) => `c${index}`);
    expect(Buffer.compare(first.modelWith(ids), second.modelWith(ids))).toBe(0);
  });

  it('keeps ids over a rebuild, and assigns new issues between rebuilds', async () => {
    const issues = issuesIn('en');
    const before = await plainEngine.rebuild(issues, []);
    const ids = before.clusters.map((_, index) => `c${index}`);
    const known = before.clusters.map(({ issueIds }, index) => ({
      id: ids[index] ?? '',
      isPinned: index === 0,
      issueIds,
    }));
    const again = await plainEngine.rebuild([...issues, { id: 'new', text: 'I forgot my password again' }], known);
    const idsByTitle = (clusters: Rebuild['clusters'], name: (index: number) => string | undefined): unknown[] =>
      ['invoice', 'password', 'refund'].map((word) =>
        name(clusters.findIndex(({ title }) => title.toLowerCase().includes(word))),
      );
    expect(idsByTitle(again.clusters, (index) => again.clusters[index]?.id)).toEqual(
      idsByTitle(before.clusters, (index) => ids[index]),
    );
    expect(again.clusters.map(({ id }) => id)).toContain('c0');
    const [, passwords] = idsByTitle(before.clusters, (index) => ids[index]);
    const model = before.modelWith(ids);
    expect(
      await plainEngine.assign(model, [
        { id: 'x', text: 'cannot reset the password' },
        { id: 'y', text: 'Quelle heure est-il à Lisbonne ?' },
      ]),
    ).toEqual([passwords, undefined]);
    expect(await plainEngine.assign(undefined, [{ id: 'x', text: 'password' }])).toEqual([undefined]);
  });

  it('puts every cluster into one theme, whose id stays', async () => {
    const issues = issuesIn('en');
    const before = await plainEngine.rebuild(issues, []);
    expect(before.themes.flatMap(({ clusters }) => clusters).sort((a, b) => a - b)).toEqual(
      before.clusters.map((_, index) => index),
    );
    const known = before.themes.map(({ clusters }, index) => ({
      id: `theme ${index}`,
      isPinned: false,
      issueIds: clusters.flatMap((cluster) => before.clusters[cluster]?.issueIds ?? []),
    }));
    const after = await plainEngine.rebuild(issues.slice(1), [], known);
    expect(after.themes.map(({ id }) => id)).toEqual(known.map(({ id }) => id));
    for (const { title, summary } of after.themes)
      expect([title.length > 2, summary.length > 10]).toEqual([true, true]);
  });

  it('compares texts without their masks', async () => {
    const masked = issuesIn('en').map(({ id, text }) => ({ id, text: `[order] [street] ${text} [name]` }));
    const { clusters } = await plainEngine.rebuild(masked, []);
    const bare = await plainEngine.rebuild(issuesIn('en'), []);
    expect(clusters.map(({ title, issueIds }) => [title, issueIds])).toEqual(
      bare.clusters.map(({ title, issueIds }) => [title, issueIds]),
    );
  });

  it('takes no issues, one, equal ones, and those that say nothing', async () => {
    expect((await plainEngine.rebuild([], [])).clusters).toEqual([]);
    const one = await plainEngine.rebuild([{ id: 'a', text: 'How do I reset my password?' }], []);
    expect(one.clusters).toEqual([]);
    expect(await plainEngine.assign(one.modelWith([]), [{ id: 'b', text: 'password' }])).toEqual([undefined]);
    const equal = await plainEngine.rebuild(
      ['a', 'b', 'c', 'd'].map((id) => ({ id, text: 'How do I reset my password?' })),
      [],
    );
    expect(equal.clusters.map(({ issueIds }) => issueIds)).toEqual([['a', 'b', 'c', 'd']]);
    const odd = [
      '',
      ' ',
      '🎉',
      '\u0000',
      '\ud800',
      'x'.repeat(200_000),
      'a '.repeat(100_000),
      '漢'.repeat(100_000),
      '12345',
    ].map((text, index) => ({ id: `odd ${index}`, text }));
    const { clusters } = await plainEngine.rebuild([...odd, ...issuesIn('en')], []);
    expect(clusters.length).toBeGreaterThanOrEqual(4);
  });

  it('fails the one task for a model that is none, and for a thread that ends', async () => {
    await expect(
      plainEngine.assign(Buffer.from('nonsense, not a model'), [{ id: 'x', text: 'password' }]),
    ).rejects.toThrow();
    const thread = new EngineThread();
    const running = thread.run({
      name: 'rebuild',
      issues: issuesIn('en'),
      known: [],
      knownThemes: [],
      isBuiltIn: false,
    });
    const failed = expect(running).rejects.toThrow('the thread of the engine has ended');
    await thread.end();
    await failed;
    expect(await thread.run({ name: 'derive', conversations: [said('The export is broken')] })).toHaveLength(1);
    await thread.end();
  });

  it('tells apart what has no word in common with the sentence model', async () => {
    const engine = engineWith({ sentenceModel: true });
    const { clusters } = await engine.rebuild(issuesIn('en'), []);
    expect(clusters.map(({ issueIds }) => [...new Set(issueIds.map(matterOf))].length)).toEqual([1, 1, 1, 1]);
    await engine.onApplicationShutdown();
  });
});

describe('better services', () => {
  let server: Server;
  let base: string;
  let isBroken = false;
  /** What is answered to everything instead. */
  let instead: string | undefined;
  const asked: {
    path: string;
    authorization: string | undefined;
    body: { model: string; input?: string[]; messages?: { content: string }[] };
  }[] = [];
  const vectorOf = (text: string): number[] =>
    Object.values(MATTERS['en'] ?? {}).map((texts) => (texts.includes(text) ? 1 : 0.1));

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const body = JSON.parse(Buffer.concat(chunks).toString()) as (typeof asked)[number]['body'];
          asked.push({ path: request.url ?? '', authorization: request.headers.authorization, body });
          const chat = {
            choices: [{ message: { content: 'Here: {"title": "Better\\nwords", "summary": "In a sentence."}' } }],
          };
          const answer = body.input
            ? { data: body.input.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse() }
            : chat;
          response
            .writeHead(isBroken ? 503 : 200, { 'content-type': 'application/json' })
            .end(instead ?? JSON.stringify(answer));
        });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('give vectors and words, and are done without where they fail', async () => {
    const engine = engineWith({
      embeddingsUrl: base,
      embeddingsModel: 'vectors',
      embeddingsApiKey: 'secret',
      llmUrl: base,
      llmApiKey: 'other secret',
      llmModel: 'words',
      conversationsLlm: true,
    });
    const rebuilt = await engine.rebuild(issuesIn('en'), []);
    expect(rebuilt.clusters.map(({ title, summary, issueIds }) => [title, summary, issueIds.length])).toEqual(
      Array.from({ length: 4 }, () => ['Better words', 'In a sentence.', 6]),
    );
    expect(asked.find(({ path }) => path === '/v1/embeddings')).toMatchObject({
      authorization: 'Bearer secret',
      body: { model: 'vectors' },
    });
    // A theme of one cluster is worded as this is.
    const worded = asked.filter(({ path }) => path === '/v1/chat/completions');
    expect(worded.length).toBeGreaterThanOrEqual(rebuilt.clusters.length);
    expect(worded.map(({ authorization }) => authorization)).toEqual(worded.map(() => 'Bearer other secret'));
    expect(rebuilt.themes.map(({ title }) => title)).toEqual(rebuilt.themes.map(() => 'Better words'));
    const [[issue] = []] = await engine.derive([said('How do I reset my password?')]);
    expect(issue).toMatchObject({
      title: 'Better words',
      summary: 'In a sentence.',
      text: 'How do I reset my password?',
    });
    const model = rebuilt.modelWith(['a', 'b', 'c', 'd']);
    isBroken = true;
    expect(await engine.assign(model, [{ id: 'x', text: 'Where is the password reset?' }])).toEqual([
      expect.stringMatching(/^[a-d]$/),
    ]);
    const without = await engine.rebuild([...issuesIn('en'), { id: 'late', text: 'Where is the password reset?' }], []);
    expect(without.clusters.map(({ title }) => title)).toContain('Reset password');
    await engine.onApplicationShutdown();
  });

  it('never have their keys told, whatever they answer', async () => {
    isBroken = false;
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const keys = { embeddingsApiKey: 'sk-vectors', llmApiKey: 'sk-words' };
    const content = 'sk-words {sk-words}';
    for (instead of [
      'sk-vectors sk-words',
      '{"a": sk-words}',
      JSON.stringify({ data: 'sk-vectors', choices: [{ message: { content } }] }),
    ]) {
      const engine = engineWith({
        ...keys,
        embeddingsUrl: base,
        embeddingsModel: 'vectors',
        llmUrl: base,
        llmModel: 'words',
        conversationsLlm: true,
      });
      await engine.rebuild(issuesIn('en'), []);
      await engine.onApplicationShutdown();
    }
    instead = undefined;
    const told = warn.mock.calls.map(([message]) => String(message));
    warn.mockRestore();
    expect(told.length).toBeGreaterThanOrEqual(6);
    expect(told.filter((message) => /sk-/.test(message))).toEqual([]);
  });

  it('are left alone for a while after they failed, so that no batch waits for them again', async () => {
    isBroken = true;
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const engine = engineWith({
      embeddingsUrl: base,
      embeddingsModel: 'vectors',
      llmUrl: base,
      llmModel: 'words',
      conversationsLlm: true,
    });
    await engine.rebuild(issuesIn('en'), []);
    const before = asked.length;
    expect((await engine.rebuild(issuesIn('en'), [])).clusters.map(({ title }) => title)).toContain('Reset password');
    expect(asked.length).toBe(before);
    isBroken = false;
    const later = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 6 * 60_000);
    expect((await engine.rebuild(issuesIn('en'), [])).clusters.map(({ title }) => title)).toContain('Better words');
    later.mockRestore();
    warn.mockRestore();
    await engine.onApplicationShutdown();
  });
});
