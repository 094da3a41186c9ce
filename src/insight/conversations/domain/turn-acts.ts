import { askingOf, isAnotherMatter, withoutPleasantries, type Asking } from './phrases.js';
import { isIdentifying, isMostlyDetails } from './details.js';
import { detectLanguage, UNDETERMINED } from './detect-language.js';
import { MASK } from './redaction/masks.js';
import { isStopWord, stemOf } from './terms.js';
import { wordsOf } from './words.js';

/**
 * The function of a sentence of a customer in a conversation (a dialogue act: Bunt et al. 2010). The first three ask for
 * something; a `statement` tells something that nobody asked for; a `detail` is an address, a number or a name.
 */
export type TurnAct = 'request' | 'complaint' | 'question' | 'answer' | 'statement' | 'detail' | 'courtesy';

/** A sentence of a customer, judged. */
export interface JudgedSentence {
  readonly text: string;
  readonly act: TurnAct;
  /** Its content: its words, and the clearness of its request. */
  readonly score: number;
  readonly stems: ReadonlySet<string>;
}

/**
 * The expectation that the message before creates: none, an answer to its question, something it demands without one, or
 * a matter after an offer of help.
 */
export type Expectation = 'none' | 'answer' | 'demand' | 'matter';

const MOST_CONTENT = 8;

/** Questions and offers of agents that ask for a matter, not for a detail of one. */
const OFFER = anyOf([
  String.raw`(?:how|what) (?:else )?(?:can|may|could|do|would) (?:i|we|you) (?:help|do for|assist|be of|like (?:help|assistance))|(?:can|may|could) (?:i|we) (?:help|assist) you(?: today| with (?:anything|something))?\s*\?|(?:anything|something) (?:else|more|further)|any (?:other|more|further) (?:questions?|issues?|concerns?|quer(?:y|ies)|requests?)|how (?:can|may|could) .{0,20}(?:help|assist|service)|what brings you|what (?:exactly )?happen(?:ed|s)|what(?:['’]?s| is| seems to be| exactly is| exactly['’]s) (?:going )?(?:the )?(?:exact )?(?:wrong|matter|problem|issue|trouble)|(?:describe|explain|elaborate)|tell (?:me|us) more|more (?:details|about)`,
  String.raw`(?:en )?qu[eé] (?:puedo|podemos|le puedo) (?:ayudar|hacer)|ayudar(?:le|te|lo|la)? (?:hoy|en (?:algo|qu[eé]))|(?:algo|alguna cosa) m[aá]s|alguna otra|describ\p{L}*|explic\p{L}*|puis-je (?:vous )?aider|peux-tu (?:décrire|expliquer)|autre chose|d['’]autres questions|d[ée]cri\p{L}*`,
  String.raw`(?:kann|können|darf|dürfen) (?:ich|wir) (?:ihnen |dir |euch )?(?:helfen|behilflich|weiterhelfen)|(?:noch|sonst) (?:etwas|was)|weitere (?:fragen|anliegen)|beschreib\p{L}*|schilder\p{L}*|posso (?:aiutar|essere d['’]aiuto|ajud)\p{L}*|(?:qualcos['’]altro|altre domande)|(?:mais alguma|outra) (?:coisa|d[úu]vida)|algo mais|descriv\p{L}*|descrev\p{L}*|kan ik (?:u |je )?(?:\p{L}+ )?helpen|nog (?:iets|vragen)|omschrijf|kan jag hjälpa|något (?:mer|annat)|beskriv\p{L}*`,
  String.raw`mogę (?:\p{L}+ )?pomóc|coś jeszcze|w czym|opis\p{L}*|могу (?:\p{L}+ )?помочь|(?:что-то|что-нибудь) ещё|ещё (?:вопросы|что)|опиш\p{L}*|можу (?:\p{L}+ )?допомогти|щось ще|nasıl yardımcı|başka bir`,
]);
const UNSPACED_OFFER =
  /ご用件|いかがなさ|ほかに(?:何|ご)|他に(?:何|ご)|詳しく|可以帮|还有(?:什么|其他)|請問|详细|무엇을 도와|더 (?:필요|궁금)/u;
/** Demands of agents without a question mark. */
const DEMAND = anyOf([
  String.raw`please|kindly|may i (?:have|know|get)|can you (?:tell|give|provide|confirm|share)|could you (?:tell|give|provide|confirm|share)|i(?:['’]ll| will)? (?:just )?need (?:your|the|a)|provide|por favor|indique|veuillez|merci de|s['’]il vous pla[iî]t|bitte|nennen sie|per favore|indichi|alstublieft|graag uw|vänligen|proszę|пожалуйста|будь ласка|lütfen`,
]);
const UNSPACED_DEMAND = /ください|お願い|请(?:提供|告诉|问|输入)|주세요|주시/u;
/** The core of sentences that end a conversation: nothing more is wanted. Nothing with content follows it. */
const CLOSING = new RegExp(
  String.raw`^(?:(?:no|nope|nah|not|nein|non|nee|nej|nie|нет|ні|hayır|si|sí|oui|ja)[\s,.!]+)*(?:nothing(?: else| more| further)?|no need|that['’]?s (?:all|it|everything)|th(?:at|is) (?:is|was|will be|would be|should be) (?:all|it|everything)|not (?:really|at (?:this|the) (?:time|moment)|for now|right now)|i(?:['’]?m| am) (?:good|fine|done|all set)|nada m[aá]s|eso es todo|nichts (?:weiter(?:es)?|mehr|sonst)|das (?:ist|war|w[äa]re?) (?:alles|es)|rien d['’]autre|c['’]est tout|nient['’]altro|[èe] tutto|mais nada|[ée] (?:s[óo]|tudo)|niets (?:meer|anders)|dat (?:is|was) alles|inget mer|det var allt|nic więcej|to wszystko|(?:больше )?ничего(?: больше)?|это вс[её]|нічого більше|hepsi bu|başka (?:bir şey )?yok)(?![\p{L}\p{M}])`,
  'iu',
);
/** Words that may follow it. */
const AFTER_CLOSING = new Set(
  "so much very really all else more for need needed want wanted know today moment time now side have has bye sir madam ma'am help thank thanks you danke heute gracias merci grazie obrigado obrigada bedankt tack".split(
    ' ',
  ),
);
const UNSPACED_CLOSING =
  /^(?:以上です|それだけです|特にありません|大丈夫です|没有了|没了|就这些|沒有了|없어요|없습니다)[。.!！\s]*$/u;
/** Phrases that say that a matter is settled. */
const SETTLED =
  /(?<![\p{L}\p{M}])(?:(?:solved|resolved|fixed)(?=[\s,.!;]*(?:$|now|already|thanks?|by|and|it|that|this|the (?:issue|problem|error)|my (?:issue|problem)|myself|itself|today|perfectly|after|for me|so)(?!\p{L}))|sorted(?: out)?|(?:is|it['’]?s|has been|was) (?:now )?working(?=[\s,.!]*(?:$|fine|now|again|well|and|thank))|working (?:now|fine|again)|works (?:now|fine|again|perfectly)|no (?:more )?(?:issue|problem|error)s|erledigt|gel[öo]st|behoben|funktioniert (?:jetzt|wieder)|solucionado|resuelto|ya funciona|r[ée]solu|(?:est|[ée]t[ée]) r[ée]gl[ée]|[çc]a marche|risolto|resolvido|opgelost|werkt weer|l[öo]st sig|rozwiązan[ey]|решен[оа]?|вирішено|çözüldü)(?![\p{L}\p{M}])/giu;
/** Names of trouble, which is none where it is settled. */
const NAMES_OF_TROUBLE =
  /(?<![\p{L}\p{M}])(?:problem|issue|error|bug|problem[ae]?s?|probl[eè]me|fehler|erro(?:re)?|fout|fel|błąd|проблем[аы]?|ошибка|помилка|hata)s?(?![\p{L}\p{M}])/giu;
const UNSETTLED =
  /(?<![\p{L}\p{M}])(?:not|never|isn['’]?t|wasn['’]?t|hasn['’]?t|still|until|unless|how|can|could|would|should|must|wish|again|need|want|wants|please|nicht|noch|wieder|no|pas|non|não|niet|nie|не|wird|when|if)(?![\p{L}\p{M}])|\?/iu;
/** The beginning of an agreement or a refusal, which answers something. */
const CONFIRMATION =
  /^\s*(?:yes|yeah|yep|yup|no|nope|nah|not really|sure|ok(?:ay|ey)?|fine|correct|right|exactly|s[ií]|oui|non|ja|nein|nee|nej|sim|não|tak|nie|да|нет|так|ні|evet|hayır)(?![\p{L}\p{M}])/iu;
/** Verbs that begin an order to somebody, in their imperative. */
const ORDER = new RegExp(
  String.raw`^(?:(?:please|kindly|just|now|so|then|and|bitte|por favor|per favore|veuillez|proszę|пожалуйста)[\s,]+)*(?:activate|add|apply|arrange|block|book|call|cancel|change|check|close|connect|correct|create|deactivate|delete|disable|enable|exchange|explain|extend|find|fix|freeze|give|help me|increase|install|let me|lower|make|move|open|order|pause|pay|place|process|provide|put|raise|record|refund|reimburse|remind|remove|renew|replace|report|request|reschedule|resend|reserve|reset|restore|return|reverse|send|set|show|start|stop|submit|subscribe|switch|tell|transfer|turn|unblock|unlock|unsubscribe|update|upgrade|verify|withdraw|a[ñn]ad[ae]|anule?|cambi[ae]|cancel[ae]|env[ií]e(?:me|nme)?|elimine|borre|restablezca|actualice|reserve|annulez|ajoutez|changez|envoyez|modifiez|supprimez|remboursez|r[ée]servez|l[öo]schen sie|[äa]ndern sie|stornieren sie|senden sie|schicken sie|setzen sie|k[üu]ndigen sie|buchen sie|annulla|cambia|cancella|invia|modifica|annuleer|wijzig|verwijder|stuur|avboka|ändra|skicka|ta bort|anuluj|zmień|usuń|wyślij|отмените|измените|удалите|отправьте|верните)(?![\p{L}\p{M}])`,
  'iu',
);

/** The expectation after a message of an agent; none if there is no such message. */
export function expectationAfter(message: { readonly role: string; readonly text: string } | undefined): Expectation {
  if (!message || message.role === 'customer') return 'none';
  const end = message.text.slice(-300);
  if (OFFER.test(end) || UNSPACED_OFFER.test(end)) return 'matter';
  if (/[?？؟]/u.test(end)) return 'answer';
  return DEMAND.test(end) || UNSPACED_DEMAND.test(end) ? 'demand' : 'none';
}

/** Judges a sentence by its words and by what was expected of it. `language` is that of the conversation. */
export function judged(text: string, language: string, expected: Expectation): JudgedSentence {
  const unmasked = text.replace(MASK, ' ');
  const bare = withoutPleasantries(unmasked);
  const own = language === UNDETERMINED ? detectLanguage(text) : language;
  const words = wordsOf(bare);
  const content = words.filter((word) => !isStopWord(word, own) && !/\d/.test(word));
  const stems = new Set(content.map((word) => stemOf(word, own)));
  const signs = askingOf(unmasked);
  const isOrder = ORDER.test(bare);
  const isWanting = signs.isComplaint || signs.isWish || isOrder;
  const asking = (signs.isQuestion ? 1.5 : 0) + (isWanting ? 1.5 : 0);
  const size = Math.min(MOST_CONTENT, stems.size);
  return { text, stems, score: size < 1 ? 0 : size + asking, act: act() };

  function act(): TurnAct {
    const isMasked = unmasked !== text;
    if (stems.size === 0) return /\d/.test(bare) || isMasked ? 'detail' : 'courtesy';
    if ([unmasked.trim(), bare].some((each) => isClosing(each, own)) || (!isOrder && isSettled(unmasked, signs)))
      return 'courtesy';
    if (signs.isQuestion) return 'question';
    if (expected === 'answer' && !isAnotherMatter(text)) return 'answer';
    if (signs.isComplaint) return 'complaint';
    const isValue = isIdentifying(bare, isMasked);
    if ((signs.isWish || isOrder) && !isValue) return 'request';
    if (expected === 'answer' || expected === 'demand') return 'answer';
    if (isValue) return 'detail';
    if (CONFIRMATION.test(unmasked)) return 'answer';
    return isMostlyDetails(words, content, own, isMasked) ? 'detail' : 'statement';
  }
}

/** Tells whether a sentence only says that nothing more is wanted. */
function isClosing(sentence: string, language: string): boolean {
  if (UNSPACED_CLOSING.test(sentence)) return true;
  const core = CLOSING.exec(sentence)?.[0];
  if (core === undefined) return false;
  const rest = withoutPleasantries(sentence.slice(core.length));
  return wordsOf(rest).every((word) => AFTER_CLOSING.has(word) || isStopWord(word, language));
}

/** Tells whether a sentence says that a matter is settled, and nothing beside that asks for something. */
function isSettled(sentence: string, { isWish }: Asking): boolean {
  const rest = sentence.replace(SETTLED, ' ');
  if (rest === sentence || isWish || UNSETTLED.test(rest)) return false;
  return !askingOf(rest.replace(NAMES_OF_TROUBLE, ' ')).isComplaint;
}

export function isAsking({ act }: Pick<JudgedSentence, 'act'>): boolean {
  return act === 'request' || act === 'complaint' || act === 'question';
}

function anyOf(alternatives: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}])(?:${alternatives.join('|')})(?![\p{L}\p{M}\p{N}])`, 'iu');
}
