import { readFileSync } from 'node:fs'

/** The version of this service. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
