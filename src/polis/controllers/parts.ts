import type { LibraryParts } from '../../library/parts.ts'
import type { Rollcall } from '../../library/rollcall.ts'

/** What the controllers are made over: the library, and the parts of the service that it calls. */
export interface ControllerParts {
  readonly rollcall: Rollcall
  readonly service: LibraryParts
  /** The path of the product's own SCIM routes, before the id of the directory. */
  readonly scimPath: string
  /** The default life of a setup link. */
  readonly setupLinkExpiryDays: number
}
