import type { LibraryParts } from '../../library/parts.ts'
import type { Rollcall } from '../../library/rollcall.ts'

/** The parts that the controllers call: the library, and the service behind it. */
export interface ControllerParts {
  readonly rollcall: Rollcall
  readonly service: LibraryParts
  /** The path of the product's own SCIM routes, before the id of the directory. */
  readonly scimPath: string
  /** The product's own routes for the consent of Google: where it begins, if it has one, and where it ends. */
  readonly google: { readonly authorizationUrl: string | undefined; readonly callbackPath: string }
  /** The default life of a setup link. */
  readonly setupLinkExpiryDays: number
}
