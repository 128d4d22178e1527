/** What discovery documents depend on. */
export interface DiscoveryOptions {
  /** The base address of the directory's SCIM resources, without a slash at the end. */
  readonly scimUrl: string
}
