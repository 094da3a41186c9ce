import { isIdentifying } from './details.js';
import { dot, matrix, meanOf, normalize, rowOf, type Matrix } from './dense.js';
import { headlinesIn, type Headline } from './headlines.js';
import { withoutPleasantries } from './phrases.js';
import { blanked } from './redaction/masks.js';
import { withoutNames } from './redaction/names.js';
import { withoutPersonal } from './redaction/redact.js';
import { clipped, ended } from './sentences.js';
import { isStopWord, stemOf, type Terms } from './terms.js';
import { wordsOf } from './words.js';

/** A text of a cluster, with the stems of its words. */
export interface LabelledText extends Pick<Terms, 'stems' | 'language'> {
  readonly text: string;
}

export interface Label {
  /** A phrase of its texts, if possible with a verb, whose words are frequent in them and rare in others. */
  readonly title: string;
  /** The sentences nearest to its centre. */
  readonly summary: string;
  /** The name of an icon of Font Awesome. */
  readonly icon: string;
}

const MAX_TEXTS = 400;
/** Texts nearest to the centre of a cluster whose phrases may become its label. */
const MAX_CENTRAL = 60;
const SUMMARY_SENTENCES = 3;
const MAX_SUMMARY = 500;
const MAX_TITLE = 80;
/** Maximum number of phrases that are tried to find a title that no other cluster has. */
const MAX_TITLES_TRIED = 8;
/** Words of a title where no phrase of the texts can be one, and the title where no word is shared either. */
const MAX_SHARED_WORDS = 3;
const NEUTRAL_TITLE = 'Similar issues';
/** The cost of a word that says nothing about the cluster, and of one without content, as shares of its most telling one. */
const COST_OF_OTHERS = 0.3;
const COST_OF_FILLERS = 0.04;
const WORTH_OF_VERB = 1.25;

/** The number of texts with each stem. */
function stemCountsOf(texts: readonly LabelledText[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { stems } of texts) for (const stem of new Set(stems)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}

/**
 * The labels of clusters: of each, a phrase of its most central texts whose words most of its texts and few others have
 * (contrast as of c-TF-IDF: Grootendorst 2022, with the share of texts instead of counts). `rows` are the positions of
 * all texts, `clusters` their numbers in each cluster.
 */
export function labelsOf(
  texts: readonly LabelledText[],
  rows: Matrix,
  clusters: readonly (readonly number[])[],
): Label[] {
  const samples = clusters.map((members) => membersOf(texts, evenSample(members)));
  const own = samples.map(stemCountsOf);
  const sampled = samples.reduce((sum, sample) => sum + sample.length, 0);
  const all = new Map<string, number>();
  for (const counts of own) for (const [stem, count] of counts) all.set(stem, (all.get(stem) ?? 0) + count);
  const taken = new Set<string>();
  return clusters.map((members, cluster) => {
    const central = centralOf(rows, members)
      .map((member) => texts[member])
      .filter((text) => text !== undefined);
    const counts = own[cluster] ?? new Map<string, number>();
    const size = samples[cluster]?.length ?? 0;
    const weights = contrastsOf(counts, all, size, Math.max(1, sampled));
    const titles = bestHeadlines(central, counts, weights, size).map((title) => capitalized(clipped(title, MAX_TITLE)));
    const title = titles.find((each) => !taken.has(each.toLowerCase())) ?? titles[0] ?? '';
    taken.add(title.toLowerCase());
    return { title, summary: summaryOf(central), icon: iconOf(counts, size) };
  });
}

/** At most `MAX_TEXTS` of the members, from all places of their list: those of a theme come cluster by cluster. */
function evenSample(members: readonly number[]): number[] {
  const step = Math.max(1, members.length / MAX_TEXTS);
  return Array.from({ length: Math.min(members.length, MAX_TEXTS) }, (_, at) => members[Math.floor(at * step)] ?? 0);
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

/** How much each stem tells about texts, beside all others. */
function contrastsOf(
  own: ReadonlyMap<string, number>,
  all: ReadonlyMap<string, number>,
  size: number,
  texts: number,
): ReadonlyMap<string, number> {
  return new Map(
    [...own].map(([stem, count]) => {
      const outside = ((all.get(stem) ?? count) - count) / Math.max(1, texts - size);
      const share = count / size;
      return [stem, share * Math.max(0, Math.log((share + 0.01) / (outside + 0.01)))];
    }),
  );
}

/** The most telling phrases of texts, the best first, none with personal data or a word that only one of many texts has. */
function bestHeadlines(
  central: readonly LabelledText[],
  counts: ReadonlyMap<string, number>,
  weights: ReadonlyMap<string, number>,
  size: number,
): string[] {
  const most = Math.max(0, ...weights.values());
  const scores = new Map<string, { readonly text: string; readonly score: number; count: number }>();
  central.slice(0, MAX_CENTRAL).forEach(({ text, language }) => {
    for (const headline of headlinesIn(text, language)) {
      const key = headline.text.toLowerCase();
      const known = scores.get(key);
      if (known) known.count++;
      else if (headline.stems.every((stem) => (counts.get(stem) ?? 0) >= Math.min(2, size)))
        scores.set(key, { text: headline.text, score: scoreOf(headline, weights, most), count: 1 });
    }
  });
  const sorted = [...scores.values()]
    .map(({ text, score, count }) => ({ text, score: score * (1 + 0.1 * Math.log(count)) }))
    .sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1));
  const found: string[] = [];
  // Redaction costs much: as few phrases as possible are checked.
  for (const { text } of sorted) {
    if (found.length === MAX_TITLES_TRIED) break;
    if (isTelling(text)) found.push(text);
  }
  return found.length > 0 ? found : [sharedWords(central, counts, weights)];
}

/** The most telling words that several texts have, if no phrase can be the title; a neutral title if there are none. */
function sharedWords(
  central: readonly LabelledText[],
  counts: ReadonlyMap<string, number>,
  weights: ReadonlyMap<string, number>,
): string {
  const words = new Map<string, string>();
  for (const { text, language } of central.slice(0, MAX_CENTRAL))
    for (const word of wordsOf(blanked(text))) {
      const stem = stemOf(word, language);
      if ((counts.get(stem) ?? 0) >= 2 && !words.has(stem) && !/\d/.test(word) && !isStopWord(word, language))
        words.set(stem, word);
    }
  const best = [...words]
    .sort(([a], [b]) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0) || (a < b ? -1 : 1))
    .slice(0, MAX_SHARED_WORDS)
    .map(([, word]) => word);
  const title = best.join(', ');
  return title !== '' && isTelling(title) ? title : NEUTRAL_TITLE;
}

/** The weights of the words of a phrase, with less for each further one, minus the cost of words that tell nothing. */
function scoreOf({ stems, fillers, hasVerb }: Headline, weights: ReadonlyMap<string, number>, most: number): number {
  const own = [...new Set(stems)].map((stem) => weights.get(stem) ?? 0).sort((a, b) => b - a);
  const worth = own.reduce((sum, weight) => sum + weight, 0);
  const others = own.filter((weight) => weight < most * 0.1).length + stems.length - own.length;
  return worth * (hasVerb ? WORTH_OF_VERB : 1) - most * (others * COST_OF_OTHERS + fillers * COST_OF_FILLERS);
}

function summaryOf(central: readonly LabelledText[]): string {
  const sentences: string[] = [];
  for (const { text } of central) {
    if (sentences.length === SUMMARY_SENTENCES) break;
    const sentence = capitalized(clipped(redactedAgain(text), 160));
    if (!sentences.some((other) => other.toLowerCase() === sentence.toLowerCase())) sentences.push(ended(sentence));
  }
  return clipped(sentences.join(' '), MAX_SUMMARY);
}

/** Tells whether a phrase is more than a greeting, and has no personal data. */
function isTelling(phrase: string): boolean {
  return redactedAgain(phrase) === phrase && !isIdentifying(phrase) && withoutPleasantries(phrase) !== '';
}

/** Texts that were masked once are checked again: a rule may have become better since. */
function redactedAgain(text: string): string {
  return withoutNames([withoutPersonal(text)])[0] ?? '';
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
