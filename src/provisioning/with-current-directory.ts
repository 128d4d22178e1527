import type { Directory } from '../directory/directory.ts'
import { DirectoryError } from '../directory/errors.ts'
import { DirectoryChangedError } from './lifecycle.ts'

const maxAttempts = 10

/**
 * Calls `work` with the record of a directory, and again with a new record if it has changed in the meantime.
 *
 * @param reread reads the record again, and throws an error if the work may not continue
 * @throws DirectoryError `busy` when the record keeps changing
 */
export async function withCurrentDirectory<T>(
  directory: Directory,
  reread: (outdated: Directory) => Promise<Directory>,
  work: (directory: Directory) => Promise<T>,
): Promise<T> {
  let current = directory
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(current)
    } catch (error) {
      if (!(error instanceof DirectoryChangedError)) throw error
    }
    if (attempt === maxAttempts)
      throw new DirectoryError('busy', 'The directory is being changed: try again in a moment.')
    current = await reread(current)
  }
}
