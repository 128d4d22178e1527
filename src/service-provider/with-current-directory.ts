import type { DirectoryAccess } from '../directory/access.ts'
import type { Directory } from '../directory/directory.ts'
import { DirectoryError } from '../directory/errors.ts'
import { DirectoryChangedError } from '../provisioning/lifecycle.ts'
import type { ScimCaller } from './request.ts'

const maxAttempts = 10

/**
 * Calls `work` with the directory that the caller was authorized for. When its record has changed in the meantime, reads it
 * again, authorizes the caller again and repeats.
 *
 * @throws DirectoryError `directory-not-found`, `unauthorized` or `directory-deactivated` when the caller is no longer
 *   authorized, `busy` when the record keeps changing
 */
export async function withCurrentDirectory<T>(
  access: DirectoryAccess,
  caller: ScimCaller,
  work: (directory: Directory) => Promise<T>,
): Promise<T> {
  let { directory } = caller
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(directory)
    } catch (error) {
      if (!(error instanceof DirectoryChangedError)) throw error
      access.forget(directory.id)
    }
    if (attempt === maxAttempts)
      throw new DirectoryError('busy', 'The directory is being changed: send the request again.')
    directory = await access.authorize(directory.id, caller.secret)
  }
}
