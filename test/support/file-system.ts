import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Makes the system report a type (`statfs`) for the files of a folder, as if such a file system were mounted there; an error
 * is thrown instead.
 */
export function mountAs(type: number | Error, folder: string): Disposable {
  const { statfsSync } = fs
  const report = (file: fs.PathLike) => {
    if (!String(file).startsWith(folder)) return statfsSync(file)
    if (type instanceof Error) throw type
    return { ...statfsSync(file), type }
  }
  fs.statfsSync = report as typeof statfsSync
  syncBuiltinESMExports()
  return {
    [Symbol.dispose]() {
      fs.statfsSync = statfsSync
      syncBuiltinESMExports()
    },
  }
}
