/** What the pages of a site say by themselves, beside its content. */
export interface Words {
  readonly skip: string;
  readonly navigation: string;
  readonly sections: string;
  readonly close: string;
  readonly menu: string;
  readonly search: string;
  readonly searchFor: string;
  readonly noResults: string;
  readonly results: string;
  readonly onThisPage: string;
  readonly previous: string;
  readonly next: string;
  readonly lastUpdated: string;
  readonly copyPage: string;
  readonly copied: string;
  readonly viewMarkdown: string;
  readonly openIn: string;
  readonly pageActions: string;
  readonly helpful: string;
  readonly yes: string;
  readonly no: string;
  readonly comment: string;
  readonly send: string;
  readonly thanks: string;
  readonly theme: string;
  readonly notFound: string;
  readonly notFoundText: string;
  readonly home: string;
  readonly variants: string;
  readonly breadcrumbs: string;
  readonly below: string;
  readonly poweredBy: string;
  readonly privacy: string;
  readonly signIn: string;
  readonly signInText: string;
  readonly signedOut: string;
  readonly more: string;
}

const en: Words = {
  skip: 'Skip to content',
  navigation: 'Pages',
  sections: 'Sections',
  close: 'Close',
  menu: 'Menu',
  search: 'Search',
  searchFor: 'Search the documentation',
  noResults: 'Nothing found',
  results: 'Results',
  onThisPage: 'On this page',
  previous: 'Previous',
  next: 'Next',
  lastUpdated: 'Last updated',
  copyPage: 'Copy page',
  copied: 'Copied',
  viewMarkdown: 'View as Markdown',
  openIn: 'Open in {name}',
  pageActions: 'More ways to read this page',
  helpful: 'Was this page helpful?',
  yes: 'Yes',
  no: 'No',
  comment: 'What could be better? (optional)',
  send: 'Send',
  thanks: 'Thank you for your feedback.',
  theme: 'Light or dark',
  notFound: 'Page not found',
  notFoundText: 'There is no page at this address. It may have been moved or removed.',
  home: 'To the first page',
  variants: 'Versions and languages',
  breadcrumbs: 'Where this page is',
  below: 'Pages below {title}',
  poweredBy: 'Powered by Bindery',
  privacy: 'Privacy policy',
  signIn: 'Sign in',
  signInText: 'This documentation is open to signed-in readers only.',
  signedOut: 'You are signed out.',
  more: 'More',
};

const de: Words = {
  skip: 'Zum Inhalt springen',
  navigation: 'Seiten',
  sections: 'Bereiche',
  close: 'Schließen',
  menu: 'Menü',
  search: 'Suchen',
  searchFor: 'Dokumentation durchsuchen',
  noResults: 'Nichts gefunden',
  results: 'Ergebnisse',
  onThisPage: 'Auf dieser Seite',
  previous: 'Zurück',
  next: 'Weiter',
  lastUpdated: 'Zuletzt geändert',
  copyPage: 'Seite kopieren',
  copied: 'Kopiert',
  viewMarkdown: 'Als Markdown ansehen',
  openIn: 'In {name} öffnen',
  pageActions: 'Diese Seite anders lesen',
  helpful: 'War diese Seite hilfreich?',
  yes: 'Ja',
  no: 'Nein',
  comment: 'Was könnte besser sein? (freiwillig)',
  send: 'Senden',
  thanks: 'Danke für die Rückmeldung.',
  theme: 'Hell oder dunkel',
  notFound: 'Seite nicht gefunden',
  notFoundText: 'Unter dieser Adresse gibt es keine Seite. Vielleicht wurde sie verschoben oder entfernt.',
  home: 'Zur ersten Seite',
  variants: 'Versionen und Sprachen',
  breadcrumbs: 'Wo diese Seite steht',
  below: 'Seiten unter {title}',
  poweredBy: 'Erstellt mit Bindery',
  privacy: 'Datenschutz',
  signIn: 'Anmelden',
  signInText: 'Diese Dokumentation ist nur für angemeldete Leser.',
  signedOut: 'Du bist abgemeldet.',
  more: 'Mehr',
};

const fr: Words = {
  skip: 'Aller au contenu',
  navigation: 'Pages',
  sections: 'Rubriques',
  close: 'Fermer',
  menu: 'Menu',
  search: 'Rechercher',
  searchFor: 'Rechercher dans la documentation',
  noResults: 'Aucun résultat',
  results: 'Résultats',
  onThisPage: 'Sur cette page',
  previous: 'Précédent',
  next: 'Suivant',
  lastUpdated: 'Dernière mise à jour',
  copyPage: 'Copier la page',
  copied: 'Copié',
  viewMarkdown: 'Voir en Markdown',
  openIn: 'Ouvrir dans {name}',
  pageActions: 'Lire cette page autrement',
  helpful: 'Cette page vous a-t-elle été utile ?',
  yes: 'Oui',
  no: 'Non',
  comment: 'Que pourrions-nous améliorer ? (facultatif)',
  send: 'Envoyer',
  thanks: 'Merci pour votre retour.',
  theme: 'Clair ou sombre',
  notFound: 'Page introuvable',
  notFoundText: 'Il n’y a aucune page à cette adresse. Elle a peut-être été déplacée ou supprimée.',
  home: 'Vers la première page',
  variants: 'Versions et langues',
  breadcrumbs: 'Emplacement de la page',
  below: 'Pages sous {title}',
  poweredBy: 'Propulsé par Bindery',
  privacy: 'Confidentialité',
  signIn: 'Se connecter',
  signInText: 'Cette documentation est réservée aux lecteurs connectés.',
  signedOut: 'Vous êtes déconnecté.',
  more: 'Plus',
};

const es: Words = {
  skip: 'Ir al contenido',
  navigation: 'Páginas',
  sections: 'Secciones',
  close: 'Cerrar',
  menu: 'Menú',
  search: 'Buscar',
  searchFor: 'Buscar en la documentación',
  noResults: 'Sin resultados',
  results: 'Resultados',
  onThisPage: 'En esta página',
  previous: 'Anterior',
  next: 'Siguiente',
  lastUpdated: 'Última actualización',
  copyPage: 'Copiar página',
  copied: 'Copiado',
  viewMarkdown: 'Ver como Markdown',
  openIn: 'Abrir en {name}',
  pageActions: 'Otras formas de leer esta página',
  helpful: '¿Le ha resultado útil esta página?',
  yes: 'Sí',
  no: 'No',
  comment: '¿Qué podría mejorar? (opcional)',
  send: 'Enviar',
  thanks: 'Gracias por su opinión.',
  theme: 'Claro u oscuro',
  notFound: 'Página no encontrada',
  notFoundText: 'No hay ninguna página en esta dirección. Puede que se haya movido o eliminado.',
  home: 'Ir a la primera página',
  variants: 'Versiones e idiomas',
  breadcrumbs: 'Dónde está esta página',
  below: 'Páginas bajo {title}',
  poweredBy: 'Creado con Bindery',
  privacy: 'Privacidad',
  signIn: 'Iniciar sesión',
  signInText: 'Esta documentación es solo para lectores que han iniciado sesión.',
  signedOut: 'Ha cerrado la sesión.',
  more: 'Más',
};

const nl: Words = {
  skip: 'Naar de inhoud',
  navigation: 'Pagina’s',
  sections: 'Onderdelen',
  close: 'Sluiten',
  menu: 'Menu',
  search: 'Zoeken',
  searchFor: 'Zoek in de documentatie',
  noResults: 'Niets gevonden',
  results: 'Resultaten',
  onThisPage: 'Op deze pagina',
  previous: 'Vorige',
  next: 'Volgende',
  lastUpdated: 'Laatst bijgewerkt',
  copyPage: 'Pagina kopiëren',
  copied: 'Gekopieerd',
  viewMarkdown: 'Als Markdown bekijken',
  openIn: 'Openen in {name}',
  pageActions: 'Andere manieren om te lezen',
  helpful: 'Was deze pagina nuttig?',
  yes: 'Ja',
  no: 'Nee',
  comment: 'Wat kan er beter? (niet verplicht)',
  send: 'Versturen',
  thanks: 'Bedankt voor je reactie.',
  theme: 'Licht of donker',
  notFound: 'Pagina niet gevonden',
  notFoundText: 'Op dit adres staat geen pagina. Misschien is die verplaatst of verwijderd.',
  home: 'Naar de eerste pagina',
  variants: 'Versies en talen',
  breadcrumbs: 'Waar deze pagina staat',
  below: 'Pagina’s onder {title}',
  poweredBy: 'Gemaakt met Bindery',
  privacy: 'Privacybeleid',
  signIn: 'Inloggen',
  signInText: 'Deze documentatie is alleen voor ingelogde lezers.',
  signedOut: 'Je bent uitgelogd.',
  more: 'Meer',
};

const no: Words = {
  skip: 'Gå til innholdet',
  navigation: 'Sider',
  sections: 'Deler',
  close: 'Lukk',
  menu: 'Meny',
  search: 'Søk',
  searchFor: 'Søk i dokumentasjonen',
  noResults: 'Ingen treff',
  results: 'Treff',
  onThisPage: 'På denne siden',
  previous: 'Forrige',
  next: 'Neste',
  lastUpdated: 'Sist oppdatert',
  copyPage: 'Kopier siden',
  copied: 'Kopiert',
  viewMarkdown: 'Vis som Markdown',
  openIn: 'Åpne i {name}',
  pageActions: 'Andre måter å lese siden på',
  helpful: 'Var denne siden nyttig?',
  yes: 'Ja',
  no: 'Nei',
  comment: 'Hva kan bli bedre? (valgfritt)',
  send: 'Send',
  thanks: 'Takk for tilbakemeldingen.',
  theme: 'Lyst eller mørkt',
  notFound: 'Fant ikke siden',
  notFoundText: 'Det finnes ingen side på denne adressen. Den kan være flyttet eller fjernet.',
  home: 'Til den første siden',
  variants: 'Versjoner og språk',
  breadcrumbs: 'Hvor siden står',
  below: 'Sider under {title}',
  poweredBy: 'Laget med Bindery',
  privacy: 'Personvern',
  signIn: 'Logg inn',
  signInText: 'Denne dokumentasjonen er bare for innloggede lesere.',
  signedOut: 'Du er logget ut.',
  more: 'Mer',
};

const pt: Words = {
  skip: 'Ir para o conteúdo',
  navigation: 'Páginas',
  sections: 'Seções',
  close: 'Fechar',
  menu: 'Menu',
  search: 'Buscar',
  searchFor: 'Buscar na documentação',
  noResults: 'Nada encontrado',
  results: 'Resultados',
  onThisPage: 'Nesta página',
  previous: 'Anterior',
  next: 'Próxima',
  lastUpdated: 'Última atualização',
  copyPage: 'Copiar página',
  copied: 'Copiado',
  viewMarkdown: 'Ver como Markdown',
  openIn: 'Abrir em {name}',
  pageActions: 'Outras formas de ler esta página',
  helpful: 'Esta página foi útil?',
  yes: 'Sim',
  no: 'Não',
  comment: 'O que poderia melhorar? (opcional)',
  send: 'Enviar',
  thanks: 'Obrigado pela sua opinião.',
  theme: 'Claro ou escuro',
  notFound: 'Página não encontrada',
  notFoundText: 'Não há nenhuma página neste endereço. Ela pode ter sido movida ou removida.',
  home: 'Ir para a primeira página',
  variants: 'Versões e idiomas',
  breadcrumbs: 'Onde esta página está',
  below: 'Páginas abaixo de {title}',
  poweredBy: 'Feito com Bindery',
  privacy: 'Privacidade',
  signIn: 'Entrar',
  signInText: 'Esta documentação é apenas para leitores conectados.',
  signedOut: 'Você saiu da sua conta.',
  more: 'Mais',
};

const ru: Words = {
  skip: 'К содержанию',
  navigation: 'Страницы',
  sections: 'Разделы',
  close: 'Закрыть',
  menu: 'Меню',
  search: 'Поиск',
  searchFor: 'Поиск по документации',
  noResults: 'Ничего не найдено',
  results: 'Результаты',
  onThisPage: 'На этой странице',
  previous: 'Назад',
  next: 'Далее',
  lastUpdated: 'Обновлено',
  copyPage: 'Скопировать страницу',
  copied: 'Скопировано',
  viewMarkdown: 'Показать Markdown',
  openIn: 'Открыть в {name}',
  pageActions: 'Другие способы чтения',
  helpful: 'Страница была полезной?',
  yes: 'Да',
  no: 'Нет',
  comment: 'Что можно улучшить? (необязательно)',
  send: 'Отправить',
  thanks: 'Спасибо за отзыв.',
  theme: 'Светлая или тёмная тема',
  notFound: 'Страница не найдена',
  notFoundText: 'По этому адресу страницы нет. Возможно, её переместили или удалили.',
  home: 'К первой странице',
  variants: 'Версии и языки',
  breadcrumbs: 'Расположение страницы',
  below: 'Страницы под «{title}»',
  poweredBy: 'Сделано на Bindery',
  privacy: 'Конфиденциальность',
  signIn: 'Войти',
  signInText: 'Эта документация доступна только вошедшим читателям.',
  signedOut: 'Вы вышли.',
  more: 'Ещё',
};

const ja: Words = {
  skip: '本文へ移動',
  navigation: 'ページ',
  sections: 'セクション',
  close: '閉じる',
  menu: 'メニュー',
  search: '検索',
  searchFor: 'ドキュメントを検索',
  noResults: '見つかりませんでした',
  results: '検索結果',
  onThisPage: 'このページの内容',
  previous: '前へ',
  next: '次へ',
  lastUpdated: '最終更新',
  copyPage: 'ページをコピー',
  copied: 'コピーしました',
  viewMarkdown: 'Markdown で表示',
  openIn: '{name} で開く',
  pageActions: 'ほかの読み方',
  helpful: 'このページは役に立ちましたか？',
  yes: 'はい',
  no: 'いいえ',
  comment: '改善点があればお書きください（任意）',
  send: '送信',
  thanks: 'ご意見ありがとうございます。',
  theme: 'ライトまたはダーク',
  notFound: 'ページが見つかりません',
  notFoundText: 'このアドレスにページはありません。移動または削除された可能性があります。',
  home: '最初のページへ',
  variants: 'バージョンと言語',
  breadcrumbs: 'ページの位置',
  below: '{title} の下のページ',
  poweredBy: 'Bindery で作成',
  privacy: 'プライバシー',
  signIn: 'サインイン',
  signInText: 'このドキュメントはサインインした読者だけが読めます。',
  signedOut: 'サインアウトしました。',
  more: 'その他',
};

const zh: Words = {
  skip: '跳到正文',
  navigation: '页面',
  sections: '分区',
  close: '关闭',
  menu: '菜单',
  search: '搜索',
  searchFor: '搜索文档',
  noResults: '没有找到结果',
  results: '搜索结果',
  onThisPage: '本页内容',
  previous: '上一页',
  next: '下一页',
  lastUpdated: '最后更新',
  copyPage: '复制页面',
  copied: '已复制',
  viewMarkdown: '查看 Markdown',
  openIn: '在 {name} 中打开',
  pageActions: '其他阅读方式',
  helpful: '本页有帮助吗？',
  yes: '有',
  no: '没有',
  comment: '哪里可以改进？（可选）',
  send: '发送',
  thanks: '感谢您的反馈。',
  theme: '浅色或深色',
  notFound: '找不到页面',
  notFoundText: '此地址没有页面，它可能已被移动或删除。',
  home: '前往首页',
  variants: '版本和语言',
  breadcrumbs: '页面位置',
  below: '“{title}”下的页面',
  poweredBy: '由 Bindery 提供',
  privacy: '隐私政策',
  signIn: '登录',
  signInText: '此文档仅供已登录的读者阅读。',
  signedOut: '您已退出登录。',
  more: '更多',
};

const BY_LANGUAGE: Readonly<Record<string, Words>> = { en, de, fr, es, nl, no, nb: no, nn: no, pt, ru, ja, zh };
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'he', 'fa', 'ur']);

/** The words in a language, such as `de` or `pt-br`; English where it is none of those that there are. */
export function wordsFor(language: string): Words {
  return BY_LANGUAGE[base(language)] ?? en;
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(base(language)) ? 'rtl' : 'ltr';
}

/** A language in its own words, such as `Deutsch`. */
export function languageName(language: string): string {
  const name = new Intl.DisplayNames([language, 'en'], { type: 'language', fallback: 'code' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

function base(language: string): string {
  return language.toLowerCase().split('-', 1)[0] ?? '';
}
