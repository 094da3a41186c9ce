/** Texts that the pages of a site show beside its content. */
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
  readonly everywhere: string;
  readonly onlyIn: string;
  readonly onThisPage: string;
  readonly previous: string;
  readonly next: string;
  readonly lastUpdated: string;
  /** With `{name}` and `{date}`. */
  readonly verifiedBy: string;
  /** Notes on pages that a machine has translated, and on those whose source has changed since people have. */
  readonly translationNotes: { readonly machine: string; readonly outdated: string };
  readonly copyPage: string;
  readonly copied: string;
  readonly viewMarkdown: string;
  readonly openIn: string;
  readonly pageActions: string;
  readonly helpful: string;
  readonly yes: string;
  readonly partly: string;
  readonly no: string;
  readonly comment: string;
  readonly send: string;
  readonly thanks: string;
  readonly back: string;
  readonly theme: string;
  readonly shortcuts: string;
  /** Said beside a switch. */
  readonly singleKeys: string;
  readonly notFound: string;
  readonly notFoundText: string;
  readonly home: string;
  readonly variants: string;
  readonly breadcrumbs: string;
  readonly below: string;
  readonly poweredBy: string;
  readonly privacy: string;
  readonly accessibility: string;
  readonly signIn: string;
  readonly signInText: string;
  readonly tooLong: string;
  readonly tooLongText: string;
  readonly signedOut: string;
  readonly more: string;
  readonly pdfOfPage: string;
  readonly pdfOfAll: string;
  readonly editPage: string;
  readonly editOn: string;
  readonly reportProblem: string;
  readonly social: string;
  readonly morePages: string;
  readonly tooMany: string;
  readonly tooManyText: string;
  readonly ask: string;
  readonly askFor: string;
  readonly answer: string;
  readonly answerPassages: string;
  readonly answerWritten: string;
  readonly sources: string;
  readonly unanswered: string;
  readonly askNext: string;
  readonly answering: string;
  readonly searchInstead: string;
  readonly previewOf: string;
  readonly previewBack: string;
  readonly previewNone: string;
  readonly previewNoneText: string;
  readonly previewEnded: string;
  readonly previewMerged: string;
  readonly previewArchived: string;
}

/** Texts of the service within content. */
export interface Labels {
  readonly info: string;
  readonly success: string;
  readonly warning: string;
  readonly danger: string;
  readonly linkToHeading: string;
  readonly copy: string;
  readonly loadFrom: string;
  readonly diagram: string;
  readonly diagramSource: string;
  readonly showAllLines: string;
  readonly tabs: string;
  readonly notes: string;
  readonly backToText: string;
  readonly done: string;
  readonly open: string;
  readonly yes: string;
  readonly no: string;
  readonly table: string;
  readonly ratingOf: string;
  readonly openFile: string;
  readonly download: string;
  readonly notFound: string;
  /** Opens a form from which a request of an operation is sent. */
  readonly tryIt: string;
  readonly servers: string;
  readonly authorization: string;
  readonly pathParameters: string;
  readonly queryParameters: string;
  readonly headerParameters: string;
  readonly cookieParameters: string;
  readonly requestBody: string;
  readonly responses: string;
  readonly callbacks: string;
  readonly linkedOperations: string;
  readonly headers: string;
  readonly example: string;
  readonly required: string;
  readonly deprecated: string;
  readonly readOnly: string;
  readonly writeOnly: string;
  readonly defaultValue: string;
  readonly possibleValues: string;
  readonly otherProperties: string;
  readonly oneOf: string;
  readonly anyOf: string;
  readonly properties: string;
  /** With `{count}`. */
  readonly andMore: string;
  /** For a page without room for the whole of an operation or schema. */
  readonly notShown: string;
}

/** Texts of the form from which readers send requests of an operation. */
export interface ConsoleTexts {
  readonly server: string;
  readonly authorization: string;
  readonly noAuthorization: string;
  readonly parameters: string;
  readonly body: string;
  readonly onePerLine: string;
  readonly token: string;
  readonly user: string;
  readonly password: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signIn: string;
  readonly getToken: string;
  /** With `{address}`. */
  readonly redirect: string;
  readonly kept: string;
  readonly cookies: string;
  readonly send: string;
  readonly cancel: string;
  readonly sending: string;
  readonly headers: string;
  readonly save: string;
  readonly cut: string;
  /** With `{origin}`. */
  readonly unreachable: string;
  readonly cancelled: string;
  /** With `{name}`. */
  readonly missing: string;
  /** With `{name}`. */
  readonly noJson: string;
  /** With `{reason}`. */
  readonly refused: string;
}

/** A language of the service's own texts for readers. */
export interface LanguagePack {
  readonly page: Words;
  readonly content: Labels;
  readonly console: ConsoleTexts;
}
