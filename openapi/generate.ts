import { writeFile } from 'node:fs/promises'
import { describeService, descriptionFile, typesFile, typesOf } from './description.ts'

const description = await describeService()
await writeFile(descriptionFile, description)
await writeFile(typesFile, await typesOf(description))
