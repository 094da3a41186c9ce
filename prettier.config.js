/** @type {import('prettier').Config} */
export default {
  printWidth: 120,
  singleQuote: true,
  // Statements and pages in template literals are text of their own languages.
  embeddedLanguageFormatting: 'off',
};
