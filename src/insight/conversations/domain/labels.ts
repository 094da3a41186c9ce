import { dot, matrix, meanOf, normalize, rowOf, type Matrix } from './dense.js';
import { clipped, ended } from './sentences.js';
import type { Terms } from './terms.js';

/** A text of a cluster: the stems of its words, and their positions in the text. */
export interface LabelledText extends Pick<Terms, 'stems' | 'places'> {
  readonly text: string;
}

export interface Label {
  /** A phrase of one to three words that is frequent in its texts and rare in others. */
  readonly title: string;
  /** The sentences nearest to its centre. */
  readonly summary: string;
  /** The name of an icon of Font Awesome. */
  readonly icon: string;
}

const LONGEST_PHRASE = 3;
const MAX_TEXTS = 400;
const SUMMARY_SENTENCES = 3;
const MAX_SUMMARY = 500;
const MAX_TITLE = 80;
/** Maximum number of phrases that are tried to find a title that no other cluster has. */
const MAX_TITLES_TRIED = 5;
/** The weight of a phrase of one, two and three words, all else being equal. */
const BOOST = [1, 1.5, 1.7];

/** The number of texts with each phrase, for a sample of the texts of each cluster. */
function phraseCountsOf(texts: readonly LabelledText[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { stems } of texts.slice(0, MAX_TEXTS))
    for (const phrase of new Set(phrasesOf(stems))) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  return counts;
}

function phrasesOf(stems: readonly string[]): string[] {
  const phrases: string[] = [];
  for (let size = 1; size <= LONGEST_PHRASE; size++)
    for (let at = 0; at + size <= stems.length; at++) phrases.push(stems.slice(at, at + size).join(' '));
  return phrases;
}

/**
 * The labels of clusters: of each, the phrase that most of its texts and few others have (c-TF-IDF: Grootendorst 2022,
 * with the share of texts instead of counts), as its texts write it. `rows` are the positions of all texts, `clusters`
 * their numbers in each cluster.
 */
export function labelsOf(
  texts: readonly LabelledText[],
  rows: Matrix,
  clusters: readonly (readonly number[])[],
): Label[] {
  const own = clusters.map((members) => phraseCountsOf(membersOf(texts, members)));
  const all = new Map<string, number>();
  for (const counts of own) for (const [phrase, count] of counts) all.set(phrase, (all.get(phrase) ?? 0) + count);
  const taken = new Set<string>();
  return clusters.map((members, cluster) => {
    const central = centralOf(rows, members)
      .map((member) => texts[member])
      .filter((text) => text !== undefined);
    const counts = own[cluster] ?? new Map<string, number>();
    const phrases = bestPhrases(counts, all, Math.min(members.length, MAX_TEXTS), Math.max(1, texts.length));
    const written =
      phrases.length === 0
        ? [central[0]?.text ?? '']
        : phrases.map((phrase) => writtenAs(phrase, membersOf(texts, members)));
    const titles = written.map((title) => capitalized(clipped(title, MAX_TITLE)));
    const title = titles.find((each) => !taken.has(each.toLowerCase())) ?? titles[0] ?? '';
    taken.add(title.toLowerCase());
    return { title, summary: summaryOf(central), icon: iconOf(counts, members.length) };
  });
}

function membersOf(texts: readonly LabelledText[], members: readonly number[]): LabelledText[] {
  return members.map((member) => texts[member]).filter((text) => text !== undefined);
}

/** Members by distance from the centre of their cluster. */
function centralOf(rows: Matrix, members: readonly number[]): number[] {
  const own = matrix(members.length, rows.columns);
  members.forEach((member, at) => rowOf(own, at).set(rowOf(rows, member)));
  const middle = meanOf(own);
  normalize(middle);
  return members
    .map((member, at) => ({ member, nearness: dot(rowOf(own, at), middle) }))
    .sort((a, b) => b.nearness - a.nearness || a.member - b.member)
    .map(({ member }) => member);
}

/** The most characteristic phrases of texts, the best first. */
function bestPhrases(
  own: ReadonlyMap<string, number>,
  all: ReadonlyMap<string, number>,
  size: number,
  texts: number,
): string[] {
  const scored: { readonly phrase: string; readonly score: number }[] = [];
  for (const [phrase, count] of own) {
    if (count < Math.min(2, size)) continue;
    const outside = (all.get(phrase) ?? count) - count;
    const share = count / size;
    const distinct = Math.log((share + 0.01) / (outside / Math.max(1, texts - size) + 0.01));
    const score = share * distinct * (BOOST[phrase.split(' ').length - 1] ?? 1);
    if (score > 0) scored.push({ phrase, score });
  }
  return scored
    .sort((a, b) => b.score - a.score || (a.phrase < b.phrase ? -1 : 1))
    .slice(0, MAX_TITLES_TRIED)
    .map(({ phrase }) => phrase);
}

/** The most frequent written form of a phrase of stems; stop words between its words are included. */
function writtenAs(phrase: string, texts: readonly LabelledText[]): string {
  const size = phrase.split(' ').length;
  const forms = new Map<string, number>();
  for (const { text, stems, places } of texts.slice(0, MAX_TEXTS)) {
    for (let at = 0; at + size <= stems.length; at++) {
      if (stems.slice(at, at + size).join(' ') !== phrase) continue;
      const own = places.slice(at, at + size);
      const whole = text.slice(own[0]?.start, own.at(-1)?.end);
      const form =
        own.length > 1 && /[^\p{L}\p{M}\p{N}\s'’-]/u.test(whole)
          ? own.map(({ start, end }) => text.slice(start, end)).join(' ')
          : whole;
      forms.set(form, (forms.get(form) ?? 0) + 1);
    }
  }
  return [...forms].sort(([a, m], [b, n]) => n - m || a.length - b.length || (a < b ? -1 : 1))[0]?.[0] ?? phrase;
}

function summaryOf(central: readonly LabelledText[]): string {
  const sentences: string[] = [];
  for (const { text } of central) {
    if (sentences.length === SUMMARY_SENTENCES) break;
    const sentence = capitalized(clipped(text, 160));
    if (!sentences.some((other) => other.toLowerCase() === sentence.toLowerCase())) sentences.push(ended(sentence));
  }
  return clipped(sentences.join(' '), MAX_SUMMARY);
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toLocaleUpperCase('en')}${text.slice(1)}`;
}

/** Icons by prefixes of words, in the most common languages of issues. */
const ICONS: readonly (readonly [icon: string, beginnings: readonly string[]])[] = [
  [
    'key',
    [
      'password',
      'passcode',
      'login',
      'log in',
      'sign in',
      'contrasen',
      'passwor',
      'kennwor',
      'anmeld',
      'senha',
      'mot de',
      'パス',
      'ログ',
      '密码',
      '登录',
      'pin',
    ],
  ],
  ['credit-card', ['card', 'tarjet', 'karte', 'carte', 'cartao', 'visa', 'カー', '卡片', '信用']],
  ['file-invoice', ['invoic', 'receipt', 'bill', 'factur', 'rechnu', 'fattur', 'fatura', '請求', '发票', '账单']],
  [
    'money-bill',
    [
      'pay',
      'refund',
      'charg',
      'price',
      'fee',
      'money',
      'cash',
      'pago',
      'reembo',
      'zahlun',
      'erstat',
      'paieme',
      '返金',
      '支払',
      '付款',
      '退款',
      'topup',
      'top',
    ],
  ],
  ['arrow-right-arrow-left', ['transfer', 'exchang', 'currenc', 'uberwe', 'wechse']],
  [
    'truck',
    ['deliver', 'ship', 'track', 'packag', 'envio', 'entreg', 'pedido', 'liefer', 'paket', 'livrai', '配送', '届'],
  ],
  ['calendar', ['calendar', 'schedul', 'appoin', 'meeting', 'remind', 'date', 'cita', 'termin', 'rendez']],
  ['plane', ['flight', 'travel', 'trip', 'vacat', 'hotel', 'vuelo', 'flug']],
  ['user', ['account', 'profil', 'user', 'identi', 'verif', 'cuenta', 'konto', 'compte', 'conta', 'アカ', '账户']],
  ['download', ['export', 'downlo', 'descar', 'herunt', 'telech']],
  ['upload', ['import', 'upload']],
  ['bell', ['notif', 'alarm', 'alert']],
  ['envelope', ['email', 'e-mail', 'mail', 'correo', 'メー', '邮件']],
  ['plug', ['api', 'webhoo', 'integr', 'connec']],
  ['mobile', ['phone', 'mobile', 'app', 'devic', 'telefo', 'handy']],
  ['shield', ['secur', 'fraud', 'stolen', 'privac', 'block']],
  ['language', ['translat', 'languag']],
  ['trash', ['delet', 'cancel', 'remov', 'elimin', 'losch', 'kundig', 'suppri', '取消', '解約', '删除']],
  ['bug', ['error', 'bug', 'crash', 'fail', 'fehler', 'erreur', 'エラ', '错误']],
  ['gear', ['setting', 'config', 'option', 'chang']],
];

/** The icon of the most frequent words; a speech bubble if none of them has one. */
function iconOf(counts: ReadonlyMap<string, number>, size: number): string {
  const votes = ICONS.map(([icon, beginnings]) => {
    let count = 0;
    for (const [phrase, texts] of counts)
      if (
        !phrase.includes(' ') &&
        beginnings.some((beginning) => phrase.startsWith(beginning.slice(0, Math.max(3, phrase.length))))
      )
        count += texts;
    return { icon, count };
  });
  const best = votes.reduce((most, vote) => (vote.count > most.count ? vote : most), { icon: 'comments', count: 0 });
  return best.count >= size * 0.3 ? best.icon : 'comments';
}
