import { mkdir, writeFile } from 'node:fs/promises'
import { providerGuides } from './provider-guides.ts'

const folder = new URL('../docs/providers/', import.meta.url)
await mkdir(folder, { recursive: true })
for (const [file, text] of providerGuides()) await writeFile(new URL(file, folder), text)
