import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Flag, Id, Nested, OneOf, Text, Url } from '../../kernel/common/fields.js';
import { ChangeRequestBody } from './change-request.schema.js';
import { FileBody } from '../content/content.schema.js';

export class CompatQuery {
  @Flag({
    optional: true,
    query: true,
    default: true,
    description: 'true answers with the change request, false with what the batch did',
  })
  compat: boolean = true;
}

export class FileUploadQuery {
  @Text({ min: 1, max: 256, description: 'The name of the file', example: 'manual.pdf' }) name: string;
  @Id({ optional: true, description: 'A file that keeps its name and gets the bytes; a new file when omitted' })
  file?: string;
}

class PageUrls {
  @Url() location: string;
}

export class PagePointer {
  @OneOf(['page']) object: 'page';
  @Id() id: string;
  @Nested(() => PageUrls) urls: PageUrls;
}

export class PageUpdate {
  @OneOf(['created_page', 'updated_page', 'deleted_page']) object: 'created_page' | 'updated_page' | 'deleted_page';
  @Text({ optional: true, description: 'The ref of the change that made the page', example: 'install' }) ref?: string;
  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(PagePointer) }, { type: 'string' }],
    description: 'A deleted page is shown by its id',
  })
  page: PagePointer | string;
}

export class ContentUpdateBody {
  @Nested(() => ChangeRequestBody) changeRequest: ChangeRequestBody;
  @Nested(() => PageUpdate, { list: true }) changes: PageUpdate[];
  @Nested(() => FileBody, { optional: true, list: true }) insertedFiles?: FileBody[];
}

export class SpaceUpdateBody {
  @Id({ description: 'The revision that the batch made' }) revision: string;
  @Nested(() => PageUpdate, { list: true }) changes: PageUpdate[];
  @Nested(() => FileBody, { optional: true, list: true }) insertedFiles?: FileBody[];
}
