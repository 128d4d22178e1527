import { writeFile } from 'node:fs/promises'
import { allRequirements } from './all.ts'
import { conformancePage } from './page.ts'

await writeFile(new URL('../../../docs/conformance.md', import.meta.url), conformancePage(allRequirements))
