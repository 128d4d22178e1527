import { caller } from '../../library/parts.ts'
import { polisDirectory } from '../compat/directories.ts'
import type { ControllerParts } from './parts.ts'
import { notOffered, responseOf } from './response.ts'
import type { Directory, Response } from './types.ts'

/** The tokens of Google, under its names; `expiry_date` is in Unix milliseconds. */
export type Credentials = Awaited<ReturnType<ControllerParts['service']['authorization']['getAccessToken']>>

/** `directorySyncController.google` */
export function googleController({ service: { authorization, directoryView } }: ControllerParts) {
  return {
    generateAuthorizationUrl: (params: { directoryId: string }): Promise<Response<{ authorizationUrl: string }>> =>
      responseOf(() => authorization.generateAuthorizationUrl(params)),
    /** Exchanges the code of the redirect that `generateAuthorizationUrl` has begun. */
    getAccessToken: (params: { directoryId: string; code: string }): Promise<Response<Credentials>> =>
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
        return polisDirectory(directoryView(await authorization.setToken({ directoryId, ...tokens }, caller)))
      }),
    createOAuth2Client: (_directory: Directory): never =>
      notOffered('google.createOAuth2Client', 'use generateAuthorizationUrl, getAccessToken and setToken.'),
  }
}
