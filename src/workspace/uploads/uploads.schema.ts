import { Amount, Nested, ObjectName, OneOf, Text, Url } from '../../kernel/common/fields.js';

export class UploadFile {
  @Text({ min: 1, max: 255, pattern: /^[^/\\\p{Cc}]+$/u, example: 'handbook.zip' }) name: string;
  @Text({
    min: 3,
    max: 255,
    pattern: /^[\w.+-]+\/[\w.+-]+$/,
    description: 'The Content-Type that the bytes are sent with',
    example: 'application/zip',
  })
  type: string;
  @Amount({ min: 1, description: 'Bytes', example: 48_213 }) size: number;
}

export class OfferUpload {
  @Nested(() => UploadFile) file: UploadFile;
  @OneOf(['customization_font', 'import_file']) kind: 'customization_font' | 'import_file';
}

export class UploadUrlBody {
  @ObjectName('storage-signed-url') object: 'storage-signed-url';
  @Url({ description: 'Takes the bytes once, by PUT or POST, within an hour' }) url: string;
  @Text({ description: 'Key of the file in other requests', example: 'AbCdEfGh0123456789Xy' }) key: string;
}

export function presentUpload({ url, key }: { readonly url: string; readonly key: string }): UploadUrlBody {
  return { object: 'storage-signed-url', url, key };
}
