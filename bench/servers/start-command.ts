import { fileURLToPath } from 'node:url'

/** The file of the command, which starts itself again with the options of `src/cli/memory-options.ts`. */
export const commandFile = fileURLToPath(new URL('../../bin/rollcall.js', import.meta.url))
