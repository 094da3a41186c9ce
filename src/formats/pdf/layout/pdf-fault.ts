/** A PDF cannot be created, for a reason that the caller should know. */
export class PdfFault extends Error {}
