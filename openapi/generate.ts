import { writeFile } from 'node:fs/promises'
import { describeService, descriptionFile, productFile, typesFile, typesOf } from './description.ts'

const { whole, product } = await describeService()
await writeFile(descriptionFile, whole)
await writeFile(productFile, product)
await writeFile(typesFile, await typesOf(whole))
