import { constants } from 'node:fs'
import { copyFile, link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file's content to disk, and then puts it in the place of another one, also on disk. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await syncFile(from)
  await rename(from, to)
  await syncFolderOf(to)
}

/**
 * Writes a file under another name and moves it to its place when it is complete, so that an existing file is replaced by a
 * whole one or not at all.
 */
export async function writeDurably<T>(file: string, part: string, write: () => Promise<T>): Promise<T> {
  try {
    const written = await write()
    await moveDurably(part, file)
    return written
  } finally {
    await rm(part, { force: true })
  }
}

/**
 * Gives a file a second name; its content and both names are on disk. A file system without hard links gets a copy.
 *
 * @returns false when there is another file of that name
 */
export async function linkDurably(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const [one, other] = await Promise.all([stat(from), stat(to)])
    if (one.dev !== other.dev || one.ino !== other.ino) return false
  }
  await syncFile(to)
  await syncFolderOf(to)
  return true
}

/** Writes a file's content to disk. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes the names in the folder of a file to disk. Windows cannot open folders. */
export async function syncFolderOf(path: string): Promise<void> {
  if (process.platform !== 'win32') await syncFile(dirname(path))
}
