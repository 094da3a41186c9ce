/**
 * Polite phrases of greetings, thanks, agreement and good-byes at the beginning of a sentence, without content of their
 * own.
 */
const PLEASANTRIES = words([
  String.raw`hi+|hello+|hey+|hiya|greetings|howdy|oops|oh|hmm+|good (?:morning|afternoon|evening|day)|dear|there|team|all|everyone|sir|madam|sirs|support|folks|guys`,
  String.raw`thanks|thank you|thankyou|thx|ty|cheers|many thanks|much appreciated|(?:i )?(?:really )?appreciate (?:it|that|your help|the help|this)|so much|very much|a lot|a bunch|again|in advance|for (?:all )?(?:your|the|this|that) (?:quick |fast |kind )?(?:help|time|reply|response|support|assistance|answer|patience)`,
  String.raw`(?:yes|yeah|yep|yup|no|nope|s[ií]|oui|non|ja|nein|nee|não|sim|tak|nie|да|нет|так|ні|evet|hayır)(?=\s*(?:[,.!;]|$|thank|danke|gracias|merci|grazie|obrigad|bedankt|tack|dzięk|спасибо|дякую|teşekkür))|ok|okay|k|sure|alright|all right|of course|right|got it|i see|understood|great|perfect|cool|awesome|nice|excellent|wonderful|amazing|fantastic|brilliant|lovely|sounds good|(?:that|this|it) (?:works|worked|helps|helped|did it|is all|was all|['’]?s (?:all|it|great|perfect|fine))(?: now| fine| great| perfectly| for me)?|works now|working now|(?:that|it)['’]s (?:all|it|great|perfect|fine|good|everything)|(?:it|that|this) (?:is|was) (?:very |really )?(?:helpful|all|great|good|perfect)|problem solved|all good|no worries|no problem|never ?mind|you too|have a (?:nice|good|great|lovely) (?:day|one|weekend|evening|night)|take care|bye+|good ?bye|see you|welcome|you['’]?re welcome|(?:kind |best |warm )?regards|sincerely|yours|best(?: wishes)?|i hope (?:you|this|all)[^.!?]{0,60}|hope (?:you|this|all)[^.!?]{0,60}|how are you(?: doing)?(?: today)?|(?:is|are) (?:there )?(?:anybody|anyone|somebody|someone|you) (?:there|here)|(?:can|could) (?:you|someone|anyone|somebody) (?:please )?help(?: me)?(?: out)?(?: with (?:this|that|something|it))?(?: please)?|(?:no|not a) (?:problem|issue)s?|i (?:need|have|want) (?:some |your |a )?(?:other |more |further )?(?:help|question|quick question|problem|an issue|issue)(?: please)?|(?:please|kindly)(?: help(?: me)?)?|help(?: me)?|sorry|sir|madam|ma['’]?am`,
  String.raw`hola|buen[oa]s(?: d[ií]as| tardes| noches)?|buen d[ií]a|estimad[oa]s?|muchas gracias|mil gracias|gracias(?: por (?:su|tu|la) (?:ayuda|respuesta|atención))?(?: de antemano)?|de nada|vale|perfecto|genial|de acuerdo|claro|adi[oó]s|hasta luego|saludos|un saludo|por favor|excelente|equipo`,
  String.raw`bonjour|bonsoir|salut|merci(?: beaucoup| bien| d['’]avance)?|(?:pour|de) votre (?:aide|réponse)|d['’]accord|parfait|super|au revoir|bonne journ[ée]e|cordialement|s['’]il (?:vous|te) pla[iî]t|svp|madame|monsieur`,
  String.raw`hallo|guten (?:tag|morgen|abend)|moin|servus|gr[üu](?:ß|ss) (?:gott|dich)|sehr geehrte[rn]?(?: damen und herren)?|damen und herren|vielen dank|danke(?: sch[öo]n| sehr| im voraus)?|f[üu]r (?:ihre|die|deine) (?:hilfe|antwort)|im voraus|bitte|alles klar|perfekt|prima|toll|passt|tsch[üu]ss|auf wiedersehen|mit freundlichen gr[üu](?:ß|ss)en|(?:viele |liebe |beste )?gr[üu](?:ß|ss)e|mfg|sch[öo]nen tag(?: noch)?`,
  String.raw`ciao|salve|buon ?giorno|buona ?sera|grazie(?: mille| tante)?|per favore|perfetto|va bene|certo|arrivederci|cordiali saluti|ol[áa]|oi|bom dia|boa tarde|boa noite|obrigad[oa]|muito obrigad[oa]|perfeito|tchau|atenciosamente|goedemorgen|goedemiddag|dag|hoi|dank (?:je|u)(?: wel)?|bedankt|alvast|groeten|met vriendelijke groet|hej|tack(?: så mycket)?|cześć|dzień dobry|dziękuję|dzięki|proszę|pozdrawiam|merhaba|selam|teşekkürler|teşekkür ederim|lütfen|tamam|здравствуйте|привет|добрый (?:день|вечер)|доброе утро|спасибо(?: большое)?|пожалуйста|хорошо|понятно|до свидания|дякую|добрий день|привіт`,
]);
const UNSPACED_PLEASANTRIES =
  /^(?:こんにちは|こんばんは|おはよう(?:ございます)?|はじめまして|お世話になって(?:おります|います)|お疲れ様です|すみません|ありがとう(?:ございま(?:す|した))?|(?:よろしく)?お願い(?:いた|致)?します|よろしく|はい|いいえ|了解(?:です|しました)?|わかりました|承知しました|助かりました|解決しました|失礼します|你好|您好|大家好|谢谢(?:你|您)?|謝謝(?:你|您)?|多谢|感谢|好的?|是的|明白了?|知道了|再见|请问|麻烦(?:你|您)了?|안녕하세요|안녕|감사합니다|고맙습니다|네|예|알겠습니다|수고하세요|สวัสดี(?:ครับ|ค่ะ|คะ)?|ขอบคุณ(?:ครับ|ค่ะ|มาก)*)[\s、。，！!,.~～…]*/u;

/** The beginning of a question, or its end in scripts without a question mark. */
const QUESTION =
  /[?？؟]\s*$|(?:ですか|ますか|でしょうか|ませんか|吗|呢|까요|나요|ไหม|หรือไม่)[。.?？]*\s*$|^(?:how|what|why|where|when|which|who|can i|can you|could|is there|is it|do i|do you|does|did|will|would|should|am i|are there|c[oó]mo|qu[eé]|por qu[eé]|d[oó]nde|cu[aá]ndo|cu[aá]l|comment|pourquoi|quand|combien|o[uù]|est-ce|wie|warum|wo|wann|welche[rs]?|wieso|kann ich|k[öo]nnen sie|gibt es|come|perch[eé]|quando|dove|como|onde|hoe|waarom|hur|varf[öo]r|jak|dlaczego|nasıl|как|почему|где|когда|як|чому)(?![\p{L}\p{M}])/iu;
const TROUBLE = words([
  String.raw`can ?no?['’]?t|couldn['’]?t|can not|unable|(?:do|does|did|is|was|has|have|wo|would|are)n['’]?t|won['’]?t|not|never|no longer|error|errors|fail(?:s|ed|ing|ure)?|problem|problems|issue|issues|broken|bug|wrong|missing|lost|stuck|crash(?:es|ed|ing)?|slow|incorrect|declined|rejected|blocked|refused|invalid|damaged|late|delayed|stolen|locked|suspended|hacked|frozen|expired|disabled|misspel(?:led|t)|overcharged|(?:still|been|done|tired of) waiting|fed up|sick of|(?:charged|billed|paid|debited) (?:\S+ ){0,3}twice|nothing (?:works|happens|is working)`,
  String.raw`no (?:puedo|funciona|me|se|he|llega|deja|aparece|tengo)|error(?:es)?|problemas?|falla|fall[oó]|perd[ií]|bloquead[oa]|rechazad[oa]|n['’]?(?:arrive|est|ai|a|fonctionne|y)|ne|pas|impossible|erreurs?|problème|panne|kann (?:ich )?(?:nicht|kein\p{L}*|mich nicht)|nicht|kein\p{L}*|fehler(?:meldung)?|kaputt|defekt|besch[äa]digt|funktioniert|geht nicht(?:s)?|nichts (?:mehr )?(?:geht|l[äa]uft|klappt|passiert)|gesperrt|verloren|non|errore|erro|não|niet|fout|inte|nie|błąd|hata|не|ошибка|проблема|помилка|rot[oa]s?|estropead[oa]s?|dañad[oa]s?|nada funciona|cass[ée]e?s?|endommag[ée]e?s?|en panne|rien ne|rott[oa]|guast[oa]|danneggiat[oa]|quebrad[oa]|danificad[oa]|stuk|kapot|trasig[at]?|zepsut\p{L}{1,3}|uszkodzon\p{L}{1,3}|сломал\p{L}*|сломан\p{L}*|bozuldu|bozuk`,
]);
/** Words of a wish. */
const WISH = words([
  String.raw`(?:i )?(?:wants?|wanna|wanted|needs?|needed|would like|would love|['’]d like|id like|like to|wish|am trying|['’]m trying|tried|trying|looking|requesting|planning to)|how (?:do|can|to|long|much)|quiero|quisiera|necesito|me gustar[ií]a|je (?:veux|voudrais|souhaite|dois)|j['’]aimerais|ich (?:m[öo]chte|will|brauche|suche|w[üu]rde)|vorrei|voglio|quero|gostaria|preciso|ik wil|jag vill|chcę|хочу|нужно`,
]);
const UNSPACED_TROUBLE =
  /できません|できない|ない|ません|エラー|失敗|故障|壊れ|問題|無法|无法|不能|不了|失败|错误|问题|没有|沒有|안 ?돼|안 ?되|없|오류|문제|ไม่/u;
const UNSPACED_WISH = /たい|ください|欲しい|教えて|想|需要|怎么|如何|싶|อยาก|ต้องการ/u;
/** Phrases that announce another matter. */
const ANOTHER =
  /^(?:and |also[,\s]|another (?:thing|question|issue|problem)|one (?:more|other) (?:thing|question)|on another (?:note|topic)|(?:secondly|second|besides|additionally|furthermore|moreover|separately|by the way|btw|ps|p\.s\.)[,:\s]|i (?:also|have another)|(?:and )?(?:can|could|do|is|how|what|where|would) [^.?!]{0,60}\b(?:also|too|as well)\b|además[,\s]|también|otra (?:cosa|pregunta)|por otra? (?:lado|parte)|de plus[,\s]|aussi[,\s]|par ailleurs|autre (?:chose|question)|une autre (?:chose|question)|außerdem|ausserdem|zusätzlich|noch (?:etwas|eine (?:andere )?frage)|zweitens|eine andere frage|inoltre|un'altra (?:cosa|domanda)|além disso|outra (?:coisa|pergunta)|daarnaast|nog (?:iets|een vraag)|dessutom|poza tym|ayrıca|кроме того|ещё|еще|також|крім того)|^(?:また|それと|それから|あと|もう(?:一|1)つ|ほかに|另外|还有|還有|此外|또한|그리고|추가로|นอกจากนี้)/iu;

/** A sentence without polite phrases at its beginning and end; empty if nothing else is left. */
export function withoutPleasantries(sentence: string): string {
  let bare = sentence.trim();
  for (let round = 0; round < 12; round++) {
    const shorter = bare
      .replace(PLEASANTRIES.first, '')
      .replace(UNSPACED_PLEASANTRIES, '')
      .replace(/^(?:\[name\]|\p{P}(?<!["'“‘«([¿¡])|\s)+/u, '');
    if (shorter === bare) break;
    bare = shorter;
  }
  return bare.replace(PLEASANTRIES.last, '$1').trim();
}

/** The signs by which a sentence asks for something. */
export interface Asking {
  readonly isQuestion: boolean;
  readonly isComplaint: boolean;
  readonly isWish: boolean;
}

export function askingOf(sentence: string): Asking {
  return {
    isQuestion: QUESTION.test(sentence),
    isComplaint: TROUBLE.within.test(sentence) || UNSPACED_TROUBLE.test(sentence),
    isWish: WISH.within.test(sentence) || UNSPACED_WISH.test(sentence),
  };
}

export function isAnotherMatter(sentence: string): boolean {
  return ANOTHER.test(sentence);
}

/** Alternatives as whole words: at the beginning of a text, at its end, and anywhere. */
function words(alternatives: readonly string[]): {
  readonly first: RegExp;
  readonly last: RegExp;
  readonly within: RegExp;
} {
  const any = alternatives.join('|');
  return {
    first: new RegExp(String.raw`^(?:${any})(?![\p{L}\p{M}\p{N}'’])`, 'iu'),
    last: new RegExp(
      String.raw`([.!?,;]?)[\s,]+(?:please|thanks|thank you|thx|por favor|gracias|merci|bitte|danke|vielen dank|s['’]il vous pla[iî]t|svp|grazie|obrigad[oa])[\s!.]*$`,
      'iu',
    ),
    within: new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}])(?:${any})(?![\p{L}\p{M}\p{N}])`, 'iu'),
  };
}
