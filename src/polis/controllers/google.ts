import { caller } from '../../library/parts.ts'
import { polisDirectory } from '../compat/directories.ts'
import { withProductRoutes } from './directories.ts'
import type { ControllerParts } from './parts.ts'
import { notOffered, responseOf } from './response.ts'
import type { Directory, Response } from './types.ts'

/** The tokens of Google, under its names; `expiry_date` is in Unix milliseconds. */
export type Credentials = Awaited<ReturnType<ControllerParts['service']['authorization']['getAccessToken']>>

/** `directorySyncController.google` */
export function googleController(parts: ControllerParts) {
  const { google, service } = parts
  const { authorization, directoryView } = service
  return {
    /** Google redirects to the product's callback, which reads the directory from the state: `JSON.parse(state).directoryId`. */
    generateAuthorizationUrl: (params: { directoryId: string }): Promise<Response<{ authorizationUrl: string }>> =>
      responseOf(() => authorization.generateAuthorizationUrl(params, google.callbackPath)),
    /** Exchanges the code of the redirect that `generateAuthorizationUrl` has begun, the last one unless `state` says which. */
    getAccessToken: (params: { directoryId: string; code: string; state?: string }): Promise<Response<Credentials>> =>
      responseOf(() => authorization.getAccessToken(params)),
    setToken: ({
      directoryId,
      accessToken,
      refreshToken,
    }: {
      directoryId: string
      accessToken: string | null | undefined
      refreshToken: string | null | undefined
    }): Promise<Response<Directory>> =>
      responseOf(async () => {
        const tokens = { accessToken: accessToken ?? '', refreshToken: refreshToken ?? '' }
        const directory = await authorization.setToken({ directoryId, ...tokens }, caller)
        return polisDirectory(withProductRoutes(directoryView(directory), parts))
      }),
    createOAuth2Client: (_directory: Directory): never =>
      notOffered('google.createOAuth2Client', 'use generateAuthorizationUrl, getAccessToken and setToken.'),
  }
}
