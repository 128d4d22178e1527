import { open, realpath, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file's content, and its name in the folder, to disk. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await syncPath(from)
  await rename(from, to)
  if (process.platform !== 'win32') await syncPath(dirname(to))
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Whether two paths lead to the same file. One that does not exist is no file. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => realpath(path).catch(() => undefined)))
  return first !== undefined && first === second
}

/** A number of bytes to read: `820 KB`, `12.3 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1000)} KB`
}
