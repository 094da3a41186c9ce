import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { REQUEST_LINES } from '../content/request-lines.js';
import { ChangeRequestStore } from './change-request-store.js';

export const CHANGE_REQUESTS_CONTRIBUTIONS: readonly Contribution[] = [REQUEST_LINES.with(ChangeRequestStore)];
