import type { Directory } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'

/** Why a directory cannot be pulled as it is; undefined when it can. */
export function obstacleTo({ deactivated, google: extdir }: Directory): DirectoryError | undefined {
  if (deactivated) return new DirectoryError('directory-deactivated', 'This directory is deactivated: nothing is read.')
  if (extdir?.authorizationNeeded !== undefined) {
    return new DirectoryError(
      'needs-authorization',
      `${extdir.authorizationNeeded} ${extdir.serviceAccount ? account : consent}`,
    )
  }
  const hasTokens = (extdir?.refreshToken ?? extdir?.accessToken) !== undefined
  if (hasTokens || extdir?.serviceAccount !== undefined) return undefined
  return new DirectoryError('needs-authorization', `This directory is not connected yet. ${consent}`)
}

const consent = 'An administrator of the customer has to open its extdir_authorization_url and consent.'
const account = 'Once that is mended, set extdir_service_account anew.'
