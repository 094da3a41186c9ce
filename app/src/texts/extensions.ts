/** Texts around the screens that modules bring. */
export const extensionTexts = {
  title: 'Extensions',
  links: 'Screens of extensions',
  settings: 'Settings of extensions',
  failed: (title: string) => `${title} cannot be shown`,
  failedText: (module: string, reason: string) =>
    `The module “${module}” brings it, and its part in the browser failed: ${reason} Everything else of the workspace works.`,
  again: 'Try again',
  late: 'nothing came within 15 seconds.',
  noFile: 'its files could not be loaded. After an upgrade of the service, try again.',
  noMount: 'its script has no function “mount”, so it was made for another version.',
  none: 'There is no such screen',
  noneText: 'The module that brings it is not part of this service, or you may not see it.',
  noSettings: 'Nothing to set',
  noSettingsText: 'No module has settings here that you may see.',
};
