/** The site that a path names. */
export interface SiteAddress {
  readonly id: string;
  readonly organizationId: string;
}
