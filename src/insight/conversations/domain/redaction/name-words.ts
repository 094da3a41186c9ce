/** Greetings of messages, in the languages of most conversations; alternatives of a pattern. */
export const GREETINGS = [
  'hi',
  'hello',
  'hey',
  'dear',
  'good (?:morning|afternoon|evening)',
  'greetings',
  'hallo',
  'guten (?:tag|morgen|abend)',
  'liebe[rs]?',
  'sehr geehrte[rs]?',
  'servus',
  'moin',
  'bonjour',
  'bonsoir',
  'salut',
  'ch(?:er|ère)',
  'hola',
  'buen[oa]s (?:d[ií]as|tardes|noches)',
  'estimad[oa]',
  'querid[oa]',
  'olá',
  'oi',
  'bom dia',
  'boa (?:tarde|noite)',
  'prezad[oa]',
  'car[oa]',
  'ciao',
  'buongiorno',
  'buonasera',
  'gentile',
  'salve',
  'beste',
  'geachte',
  'hoi',
  'goede(?:morgen|middag|navond)',
  'hej',
  'hei',
  'kære',
  'kjære',
  'bästa',
  'cześć',
  'dzień dobry',
  'witam',
  'szanown[ay]',
  'merhaba',
  'здравствуйте',
  'привет',
  'уважаем(?:ый|ая)',
  'добрый день',
].join('|');

/** Closings of messages, before the sender's name. */
export const CLOSINGS = [
  '(?:(?:kind|kindest|warm|best|many) )?regards',
  'best',
  'best wishes',
  'all the best',
  'sincerely',
  'yours (?:truly|sincerely|faithfully)',
  'many thanks',
  'thanks(?: again| a lot| so much| in advance)?',
  'thank you(?: very much| so much| in advance)?',
  'thx',
  'cheers',
  'take care',
  'mit freundliche[nm] gr(?:ü|ue)(?:ß|ss)(?:en)?',
  '(?:freundliche|viele|liebe|beste|schöne) grüße',
  'danke(?: im voraus)?',
  'vielen dank',
  'mfg',
  'lg',
  'vg',
  '(?:bien )?cordialement',
  'bien à vous',
  'sincères salutations',
  'merci(?: d.avance)?',
  'saludos(?: cordiales)?',
  'un (?:cordial )?saludo',
  'atentamente',
  '(?:muchas )?gracias',
  'atenciosamente',
  'abraços',
  'obrigad[oa]',
  'cordiali saluti',
  'distinti saluti',
  'grazie',
  'met vriendelijke groet(?:en)?',
  'groet(?:en|jes)?',
  'bedankt',
  'mvh',
  'med vänlig hälsning',
  '(?:med venlig )?hilsen',
  'pozdrawiam',
  'saygılarımla',
  'с уважением',
  'спасибо',
].join('|');

export const TITLES = [
  'mr',
  'mrs',
  'ms',
  'miss',
  'mx',
  'dr',
  'prof',
  'professor',
  'sir',
  'herrn?',
  'frau',
  'monsieur',
  'madame',
  'mme',
  'señora?',
  'sra?',
  'don',
  'doña',
  'senhora?',
  'signora?',
  'sig',
  'heer',
  'mevrouw',
  'dhr',
  'mevr',
  'pani?',
].join('|');

/** Phrases before one's own name. */
export const INTRODUCTIONS = [
  'my name is',
  'registered (?:as|under the name)',
  '(?:full|first|last|middle|registered|whose|his|her|\\p{L}{2,12}.s) name is',
  'name on (?:the|my) (?:account|card|order|booking|reservation) is',
  '(?<!\\p{L}[ _-])name[ ]?:',
  'imię i nazwisko:?',
  'mam na imię',
  'mitt namn är',
  'mit navn er',
  'mi nombre completo es',
  '(?<!\\p{L}[ _-])nom[ ]?:',
  '(?<!\\p{L}[ _-])nombre[ ]?:',
  '(?<!\\p{L}[ _-])nome[ ]?:',
  '(?<!\\p{L}[ _-])naam[ ]?:',
  '(?<!\\p{L}[ _-])имя[ ]?:',
  'my name.s',
  'mein name ist',
  'ich heiße',
  'je m.appelle',
  'mon nom est',
  'me llamo',
  'mi nombre es',
  'meu nome é',
  'me chamo',
  'mi chiamo',
  'il mio nome è',
  'mijn naam is',
  'ik heet',
  'jag heter',
  'nazywam się',
  'меня зовут',
].join('|');
/** Introductions that may also precede other words: they only count before a place of origin. */
const PEOPLE = ['i am', 'i.m', 'je suis', 'soy', 'eu sou', 'sono', 'ik ben'];
export const SELVES = [...PEOPLE, 'ich bin', 'this is', 'it.s', 'hier ist', 'c.est'].join('|');
/** Phrases that only people use: capitalized words after them are a name. */
export const OWN_SELVES = PEOPLE.join('|');
/** Phrases before one's own name that stand behind a greeting; without one they tell of anything. */
export const GREETED_SELVES = [
  'this is',
  'it.s',
  'you.re speaking (?:to|with)',
  'hier (?:ist|spricht)',
  'ici',
  'soy',
  'aquí',
  'sono',
  'det är',
  'tu',
  'это',
].join('|');
/** Questions for a name. */
export const NAME_QUESTIONS = [
  '(?:your|full|first|last|account holder.s) name',
  'who am i (?:speaking|talking|chatting)',
  '(?:ihr(?:en)?|dein(?:en)?|vollständige[nr]?) name',
  'wie heißen',
  '(?:votre|ton) nom',
  'comment vous appelez',
  '(?:su|tu) nombre',
  'cómo se llama',
  '(?:o )?seu nome',
  'como se chama',
  '(?:il )?suo nome',
  'come si chiama',
  '(?:uw|je) naam',
  'imię i nazwisko',
  '(?:ditt|ert) namn',
  'ваше имя',
  'как вас зовут',
  'お名前',
  '您的(?:姓名|名字)',
  '怎么称呼',
].join('|');
/** In German all nouns are capitalized, so a name needs two words. */
export const GERMAN_SELF = 'ich bin';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words in places of names that are not names. */
export const NOBODY = words(`
  there all team everyone everybody folks guys again support sir sirs madam friend friends both help hello hi hey dear customer customers service sales billing admin agent bot world
  i i'm i've i'd i'll i’m i’ve i’d i’ll yes no yeah yep nope none nothing fine great good done sent confirmed correct right exactly later already anonymous ja nein oui non sí si sim não nee tak nie да нет はい いいえ 是 不
  thanks thank regards best cheers sincerely kind kindest warm many yours wishes ladies gentlemen zusammen damen herren kollegen tous toutes messieurs mesdames équipe equipo todos todas
  amigos equipe pessoal tutti allemaal iedereen alla alle wszystkim państwo the your you we it is this that and or for from to please can could when what how why sent also but if so
  danke grüße merci gracias saludos grazie not sure just now still very trying having looking using getting unable able happy sorry afraid wondering ok
  mine yours wrong misspelled misspelt incorrect missing spelled changed different falsch incorrecto errado sbagliato faux`);

/** Names that are words as well: masked in places of names, and left alone elsewhere. */
export const ALSO_WORDS = words(`
  will may mark grace hope bill art rob chase drew sky rose frank pat sue max page case guy link faith joy dawn summer april june august angel christian chip jack nick dot star crystal
  ruby amber jasper rich dean king young long short brown green white black gray grey day bell price field stone banks wells rivers woods park parks hill lake ford cook baker miller
  carter mason porter hunter fisher taylor smith van von der den del`);

/** Phrases before a name in unspaced scripts, and after it. */
export const UNSPACED_INTRODUCTIONS = ['私の名前は', '我叫', '我的名字是', '我的名字叫'].join('|');
export const UNSPACED_ENDINGS = ['と申します', 'といいます', 'と言います'].join('|');

/** Words before an honorific in Chinese and Japanese that are not names. */
export const HONOURED_NOBODY = words('お客 皆 みな 客 各位 老 尊敬的');
