import { texts } from './en.js';

/** Texts of the screen of the instructions for agents. */
export const instructionTexts = {
  title: texts.services.agentInstructions,
  text: 'What agents that write for this organization should know: its tone, its terms, its rules. The language model that answers questions follows them, and agents read them over the API.',
  field: 'Instructions, in Markdown',
  preview: 'Preview',
  noPreview: 'The preview needs a space that you can read.',
  notShown: 'This cannot be shown:',
  none: 'No instructions yet',
  noneText: 'Administrators of the organization write what agents should know.',
  written: 'Written',
  saved: 'The instructions are saved.',
  discard: 'Discard',
  leave: 'Your instructions are not saved. Leave them?',
  changed: 'Somebody else has saved other instructions meanwhile',
  changedText: 'Yours are kept below. Take what you need from the others, then decide.',
  theirs: 'The others',
  take: 'Take the others',
  keep: 'Go on with mine',
} as const;
