/** Words of the service between those of the content. */
export interface Labels {
  readonly info: string;
  readonly success: string;
  readonly warning: string;
  readonly danger: string;
  readonly linkToHeading: string;
  readonly copy: string;
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
  readonly notFound: string;
  readonly servers: string;
  readonly authorization: string;
  readonly pathParameters: string;
  readonly queryParameters: string;
  readonly headerParameters: string;
  readonly cookieParameters: string;
  readonly requestBody: string;
  readonly responses: string;
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
}

export const ENGLISH: Labels = {
  info: 'Note',
  success: 'Good to know',
  warning: 'Warning',
  danger: 'Danger',
  linkToHeading: 'Link to this heading',
  copy: 'Copy',
  showAllLines: 'Show all lines',
  tabs: 'Tabs',
  notes: 'Notes',
  backToText: 'Back to the text',
  done: 'Done',
  open: 'Open',
  yes: 'Yes',
  no: 'No',
  table: 'Table',
  ratingOf: 'of',
  notFound: 'This content is not available',
  servers: 'Servers',
  authorization: 'Authorization',
  pathParameters: 'Path parameters',
  queryParameters: 'Query parameters',
  headerParameters: 'Header parameters',
  cookieParameters: 'Cookies',
  requestBody: 'Body',
  responses: 'Responses',
  headers: 'Headers',
  example: 'Example',
  required: 'required',
  deprecated: 'deprecated',
  readOnly: 'read only',
  writeOnly: 'write only',
  defaultValue: 'Default',
  possibleValues: 'Possible values',
  otherProperties: 'Other properties',
  oneOf: 'One of',
  anyOf: 'Any of',
  properties: 'Properties',
};
