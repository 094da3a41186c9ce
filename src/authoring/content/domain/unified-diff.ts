import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
