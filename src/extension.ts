import 'reflect-metadata';

/*
 * The package `bindery/extension`: the interface for writing external modules. Names are stable within a version range
 * of the package (`requires` of a manifest); everything else of the code may change in any release.
 *
 * The manifest is exported whole, so that a module can add itself to the types of events, jobs, permissions and
 * settings: `declare module 'bindery/extension' { interface Manifests { announcements: typeof announcements } }`.
 */
export * from './kernel/platform/manifest/manifest.js';
export { brings, Registry } from './kernel/platform/manifest/registry.js';
export { ContributionPoint, type Contribution } from './kernel/platform/manifest/contribution.js';
export { account, organization, space, UNAUDITED } from './kernel/platform/manifest/event-definition.js';
export type {
  ScreenDefinition,
  ScreenPart,
  ScreenPlace,
  ScreenTable,
} from './kernel/platform/manifest/screen-definition.js';
export type { PermissionDefinition, ResourceKind } from './kernel/platform/manifest/permission-definition.js';
export { CONFIG, type Config } from './kernel/platform/config/config.js';
export {
  bytes,
  checkedList,
  flag,
  httpAddress,
  list,
  required,
  whole,
} from './kernel/platform/config/setting-schemas.js';

export {
  CHECK_GROUPS,
  HEALTH_CHECKS,
  INVARIANTS,
  type CheckFinding,
  type CheckGroup,
  type ExaminationOptions,
  type HealthCheck,
  type Invariant,
} from './kernel/platform/health-checks/health-checks.points.js';
export { job } from './kernel/platform/jobs/job-definition.js';
export { ACCESS_POLICIES, type AccessPolicy, type AllowedOperation } from './kernel/access/access.points.js';
export {
  FILE_STORAGES,
  FileStorage,
  type ByteRange,
  type FileStorageFactory,
  type StoredBlob,
} from './kernel/platform/storage/file-storage.js';
export type { ByteSource, SpooledFile } from './kernel/platform/storage/spool.js';
export {
  TRANSLATION_ENGINES,
  type Engine,
  type EngineFactory,
  type EngineAnswer,
  type TranslationJob,
  type Translator,
} from './insight/translations/engines/translation-engine.js';
export {
  IDENTITY_MAPPINGS,
  type AssertedIdentity,
  type IdentityMapping,
  type MappedIdentity,
} from './identity/sso/sso.points.js';
export {
  COPY_STATEMENTS,
  INTEGRATION_RENDERERS,
  REVISION_STATEMENTS,
  type IntegrationBlock,
  type IntegrationRenderer,
} from './authoring/content/content.points.js';
export { MEMBERSHIP_END, type Membership } from './identity/organizations/organizations.points.js';
export {
  TRANSFER_CARRY,
  TRANSFER_LEAVE,
  TRANSFER_OBSTACLES,
  type Transferred,
} from './workspace/spaces/spaces.points.js';
export { visibleSpaces } from './workspace/spaces/visible-spaces.js';
export { Jobs } from './kernel/platform/jobs/jobs.js';
export type { JobRun } from './kernel/platform/jobs/job-run.js';
export { Outbox, type OutboxEvent } from './kernel/platform/outbox.js';
export { OutboxRelay, type EventHandler } from './kernel/platform/outbox-relay.js';
export { Outbound } from './kernel/platform/outbound/outbound.js';
export { Mail } from './kernel/platform/mail.js';

export {
  ByCaller,
  Can,
  InCollection,
  InOrganization,
  InSite,
  InSpace,
  LeavesOutHiddenPages,
  Public,
} from './kernel/access/access.decorators.js';
export type { CollectionAccess, OrganizationAccess, SiteAccess, SpaceAccess } from './kernel/access/access.service.js';
export {
  allows,
  permissionFlags,
  requirePermission,
  roleAlone,
  type PermissionKey,
  type Rights,
} from './kernel/access/permissions.js';
export { atLeast, presentRole, ROLES, type AccessLevel, type Role } from './kernel/common/roles.js';

export { Addresses } from './kernel/common/addresses.js';
export { Clock } from './kernel/common/clock.js';
export { callerId, requireMatch, type Caller } from './kernel/common/context.js';
export { Database } from './kernel/common/database.js';
export { DomainError, invalid, invalidFields, notFound } from './kernel/common/errors.js';
export {
  Amount,
  Email,
  Flag,
  Free,
  Id,
  Nested,
  ObjectName,
  OneOf,
  Text,
  Timestamp,
  Url,
} from './kernel/common/fields.js';
export { isId, newId } from './kernel/common/ids.js';
export { Operation } from './kernel/common/operation.js';
export { PageQuery } from './kernel/common/page-query.js';
export { Pages, type Page } from './kernel/common/page.js';
export { Secrets } from './kernel/common/secrets.js';
export { versioned } from './kernel/common/versioned.js';

export { Members } from './identity/organizations/members.service.js';
export { OrganizationsModule } from './identity/organizations/organizations.module.js';
export { Teams } from './identity/teams/teams.service.js';
export { TeamsModule } from './identity/teams/teams.module.js';
export { Spaces } from './workspace/spaces/spaces.service.js';
export { SpacesModule } from './workspace/spaces/spaces.module.js';
export { ContentModule } from './authoring/content/content.module.js';
export { ContentReader } from './authoring/content/content-reader.js';
export { ContentWriter } from './authoring/content/content-writer.js';

export { Member } from './identity/organizations/member.entity.js';
export { Organization } from './identity/organizations/organization.entity.js';
export { User } from './identity/users/user.entity.js';
export { Space } from './workspace/spaces/space.entity.js';
export { Site } from './publishing/sites/site.entity.js';
