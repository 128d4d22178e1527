import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from '../../scripts/compile.ts'

const folder = fileURLToPath(new URL('../../node_modules/.cache/rollcall-bench/', import.meta.url))
let isBuilt = false

/**
 * The path of a file of the repository as JavaScript. The service is measured as the package runs it: from TypeScript
 * it holds 8 MB more, for removing the types.
 */
export function builtFile(path: string): string {
  if (!isBuilt) compile('bench/tsconfig.json', folder, true)
  isBuilt = true
  return join(folder, path)
}
