import { openEmbedded } from '../../app/embedded.ts'
import { createControllers } from './controllers.ts'
import type { JacksonOption } from './options.ts'
import { googlePaths, rollcallOptions } from './options.ts'

/**
 * Opens Rollcall's library with the options, the controllers and the answers of Polis' library.
 *
 * @throws Error when an option is missing or the database cannot be opened
 */
export async function controllers(options: JacksonOption): Promise<SAMLJackson> {
  const { authorizePath, callbackPath } = googlePaths(options)
  const { service, rollcall } = await openEmbedded(rollcallOptions(options))
  return createControllers({
    ...{ service, rollcall },
    google: { authorizationUrl: authorizePath && service.externalUrl() + authorizePath, callbackPath },
    scimPath: (options.scimPath ?? '/api/scim/v2.0').replace(/(?<!\/)\/+$/, ''),
    setupLinkExpiryDays: options.setupLinkExpiryDays ?? 3,
  })
}

export type SAMLJackson = ReturnType<typeof createControllers>
