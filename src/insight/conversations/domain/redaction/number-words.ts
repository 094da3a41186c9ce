const alternatives = (words: string): string =>
  words
    .trim()
    .split(/\s*\|\s*/)
    .join('|');

/** Words that announce a number of somebody, by what takes its place; alternatives of a pattern. The first kind that fits counts. */
export const KINDS: readonly { readonly word: string; readonly names: string }[] = [
  {
    word: '[id number]',
    names: alternatives(`
      ssn|social security|social insurance|national insurance|tax id|taxpayer id|passport|driver.?s licen[cs]e|id card|identity card|national id|
      sozialversicherungs(?:nummer|nr)|sozialversicherung|steuer-?id(?:entifikationsnummer)?|personalausweis\\p{L}*|reisepass\\p{L}*|
      sécurité sociale|carte d.identité|passeport|seguridad social|dni|nif|pasaporte|cpf|identidade|passaporte|codice fiscale|carta d.identità|passaporto|
      bsn|burgerservicenummer|paspoort\\p{L}*|pesel|dowodu?(?: osobistego)?|dowód|paszport\\p{L}*|personnummer|pass(?:nummer)?|паспорт\\p{L}*|снилс|инн|マイナンバー|パスポート|身份证|护照`),
  },
  {
    word: '[card]',
    names: alternatives(`
      card|(?:credit|debit|bank) card|cvv|cvc|(?:kredit|bank|giro)?karten?(?:nummer|nr)?|carte(?: bancaire| bleue| de crédit)?|tarjeta|cartão|carta(?: di credito)?|bancomat|
      (?:creditcard|pinpas|bankpas|kaart)(?:nummer)?|kart[ayę]|(?:kredit|bank|betal)?kort(?:nummer|et)?|карт[аыуе]|カード|(?:信用|银行)?卡|尾号`),
  },
  {
    word: '[account]',
    names: alternatives(`
      (?:bank )?account|bank|acct|iban|routing|sort code|customer|member(?:ship)?|konto(?:nummer|nr)?|kunden(?:nummer|nr)|bankverbindung|compte|client|cuenta|cliente|conta|conto|
      rekening(?:nummer)?|klant(?:nummer)?|rachun\\p{L}+|kont[oa]|kund(?:nummer)?|bankkonto|счёт\\p{L}*|счет\\p{L}*|口座|会員|账号|账户|帐号|帐户|会员`),
  },
  {
    word: '[policy]',
    names: alternatives(`
      policy|contract|claim|versicherung(?:snummer)?|versicherungsschein|police|vertrag(?:snummer)?|contrat|póliza|contrato|apólice|polizza|contratto|
      polis(?:nummer)?|contract(?:nummer)?|polis[ay]|umow[ay]|försäkring(?:snummer)?|forsikring(?:snummer)?|полис\\p{L}*|договор\\p{L}*|証券|契約|保单|合同`),
  },
  {
    word: '[phone]',
    names: alternatives(`
      phone|mobile|cell(?:phone)?|telephone|telefon(?:nummer)?|handy(?:nummer)?|rufnummer|téléphone|portable|teléfono|móvil|telefone|celular|telemóvel|telefono|cellulare|
      telefoon(?:nummer)?|mobiel(?:e nummer)?|telefonu?|komórk\\p{L}+|mobil(?:nummer)?|телефон\\p{L}*|電話|携帯|电话|手机`),
  },
  {
    word: '[order]',
    names: alternatives(`
      (?<!in )order|booking|reservation|confirmation|invoice|tracking|bestell(?:ung|nummer|nr)|auftrag(?:snummer)?|buchung(?:snummer)?|rechnung(?:snummer)?|commande|réservation|facture|
      pedido|reserva|factura|encomenda|fatura|ordine|prenotazione|fattura|bestelling|bestelnummer|boeking(?:snummer)?|factuur(?:nummer)?|zamówieni\\p{L}+|rezerwacj\\p{L}+|faktur\\p{L}+|
      beställning(?:snummer)?|bokning(?:snummer)?|ordre|bestilling|ordernummer|заказ\\p{L}*|брон\\p{L}*|注文|予約|订单|预订`),
  },
  {
    word: '[street]',
    names: alternatives(`
      zip(?: ?code)?|postal code|postcode|plz|postleitzahl|code postal|código postal|cep|cap|kod pocztowy|postnummer|индекс|郵便番号|邮编|邮政编码`),
  },
  // The last resort: nothing tells the kind.
  { word: '[number]', names: 'number|nummer|numéro|número|numero|numer|номер|番号|号码' },
];

/** Words between an announcement and its number. */
export const FILLERS = alternatives(`
  numbers?|no|nr|num|code|id|is|are|was|would|should|has|have|to|be|as|follows|here|that|which|it|i|ending|ends?|ended|finishing|with|in|on|the|my|your|of|last|final|four|4(?!\\d)|digits?|
  nummer|lautet|ist|endet|endend|endet auf|auf|mit|die|der|den|sind|welche|letzten?|vier|ziffern|stellen|meine?|
  numéro|est|sont|qui|finit|finissant|se|termine|terminant|par|les|le|la|derniers?|dernières|quatre|chiffres|mon|ma|
  número|es|son|que|termina|terminada|acaba|en|los|las|el|últimos?|cuatro|dígitos|cifras|mi|é|com|os|meu|minha|finais|são|terminado|
  numero|è|sono|che|finisce|con|il|lo|le|gli|ultime|ultimi|quattro|cifre|mio|mia|
  nummer|zijn|eindigt|eindigend|op|het|de|laatste|cijfers|mijn|numer|numeru|to|jest|kończy|kończąca|się|na|ostatnie|cztery|cyfry|
  numret|är|er|som|slutar|slutter|på|sista|siste|fyra|fire|siffrorna|sifre|
  номер|номера|это|которая|который|мой|моя|моей|моего|заканчивается|на|последние|четыре|цифры`);

/** The same in scripts without spaces. */
export const UNSPACED_FILLERS = alternatives(`
  番号|は|の|が|下4桁|末尾|です|号码|号|是|的|尾号|后四位|为`);

/** Words behind a number that tell that it counts something. */
export const UNITS = alternatives(`
  euros?|eur|usd|dollars?|bucks|pounds?|gbp|francs?|chf|pesos?|reais|kron\\p{L}+|kr|zł|złot\\p{L}+|руб\\p{L}*|yen|円|元|块|
  credits?|points?|requests?|entries|rows|files|messages|e?mails|customers|licen[cs]es|copies|orders|words|calls|items?|pieces?|pcs|pages?|users?|people|persons?|seats?|times|steps?|days?|weeks?|months?|years?|hours?|minutes?|seconds?|ms|kb|mb|gb|tb|mah|
  stück|seiten|nutzer|tagen?|wochen?|monaten?|jahren?|stunden?|minuten|sekunden|articles|pages|jours?|semaines?|mois|ans|heures?|artículos|días|semanas|meses|años|horas|
  dias|anos|articoli|giorni|settimane|mesi|anni|ore|minuti|stuks|dagen|weken|maanden|jaar|uur|sztuk\\p{L}*|dni|tygodni\\p{L}*|lat|godzin\\p{L}*|dagar|veckor|timmar|дн\\p{L}+|недел\\p{L}+|час\\p{L}*|個|日|天|年|月|小时|分钟`);

/** Announcements of a date of birth. */
export const BIRTHS = alternatives(`
  born(?: on)?|birth to me|date of birth|d\\.?o\\.?b|birth ?date|birthday|geboren(?: am)?|geburtsdatum|geburtstag|née?(?: le)?|date de naissance|anniversaire|
  fecha de nacimiento|cumpleaños|nac[íi](?: el)?|data de nascimento|aniversário|nasci(?: em| a)?|data di nascita|compleanno|nat[oa](?: il)?|
  geboortedatum|geboren op|verjaardag|data urodzenia|urodził[ae]m się|urodzon[ya]|födelsedatum|född|fødselsdato|født|дата рождения|родил(?:ся|ась)|生年月日|誕生日|出生日期|生日`);
