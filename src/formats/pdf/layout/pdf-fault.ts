/** A PDF cannot be made, for a reason that the caller should know. */
export class PdfFault extends Error {}
