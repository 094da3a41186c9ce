import { Flag, OneOf, Text, Url } from '../../kernel/common/fields.js';

export class PdfQuery {
  @Text({
    optional: true,
    pattern: /^[a-zA-Z0-9]{1,40}$/,
    patternMessage: 'must be the id of a page: 1 to 40 letters and digits',
    description: 'The id of a page: the PDF holds it and the pages below it. Without it everything',
    example: 'AbCdEfGh0123456789Xy',
  })
  page?: string;
  @Flag({
    optional: true,
    query: true,
    default: false,
    description: 'true leaves out the pages below the given one, and needs it',
    example: false,
  })
  only: boolean = false;
}

export class PdfBody {
  @Url({
    description: 'Downloads the PDF, without a token, for an hour',
    example: 'https://docs.example.com/~pdf/AbCdEfGh0123456789Xy/Handbook.pdf?expires=1795000000&signature=abc',
  })
  url: string;
  @OneOf(['pending', 'completed'], {
    description: '`completed` once a download begins at once; the same request tells how far it is',
  })
  status: 'pending' | 'completed';
}
