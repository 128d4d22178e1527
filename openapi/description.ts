import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenAPI3 } from 'openapi-typescript'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { createLog } from '../src/app/log.ts'
import { startServer } from '../src/app/server.ts'
import { readSettings } from '../src/app/settings.ts'

/** The location of the generated files. */
export const descriptionFile = new URL('openapi.json', import.meta.url)
/** The part that a product needs. */
export const productFile = new URL('openapi-product.json', import.meta.url)
export const typesFile = new URL('../src/client/schema.ts', import.meta.url)

/**
 * The OpenAPI descriptions of a service with everything turned on, as text: the whole, and the part that a product
 * needs.
 */
export async function describeService(): Promise<{ readonly whole: string; readonly product: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-openapi-'))
  try {
    const settings = readSettings({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: `sqlite:${join(folder, 'rollcall.db')}`,
      API_KEYS: 'key-of-the-description-00000000',
      ADMIN_ROOT_TOKEN: 'token-of-the-description-00000000',
      EXTERNAL_URL: 'https://rollcall.example',
      LOG_LEVEL: 'silent',
    })
    const lines: string[] = []
    const log = createLog('info', { write: (line: string) => lines.push(line) })
    const server = await startServer(settings, log)
    try {
      const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(lines.join(''))?.[0]
      const read = async (path: string) => {
        const response = await fetch(`${origin}${path}`)
        if (!response.ok) throw new Error(`The description cannot be made:\n${lines.join('')}`)
        return `${JSON.stringify(await response.json(), null, 2)}\n`
      }
      return { whole: await read('/openapi.json'), product: await read('/openapi-product.json') }
    } finally {
      await server.close()
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const head = `// Generated from openapi/openapi.json by \`npm run generate\`. Do not edit.

`

/** Drops the examples of objects and lists, and of properties whose type has few values. */
function withoutLargeExamples(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('examples' in value)) return value
  const { examples, ...rest } = value
  if (!Array.isArray(examples)) return value
  const hasFewValues = 'enum' in rest || 'const' in rest || ('type' in rest && rest.type === 'boolean')
  return typeof examples[0] === 'object' || hasFewValues ? rest : value
}

/**
 * The TypeScript types of a description, without SCIM: products do not call it. Only scalars keep their examples, those of objects
 * are longer than the types.
 */
export async function typesOf(description: string): Promise<string> {
  const { paths, components, ...rest } = JSON.parse(description, withoutLargeExamples) as OpenAPI3
  const without = (prefix: string, named: object = {}) =>
    Object.fromEntries(Object.entries(named).filter(([name]) => !name.startsWith(prefix)))
  const { schemas, responses, ...others } = components ?? {}
  const products: OpenAPI3 = {
    ...rest,
    paths: without('/api/scim/', paths),
    components: { ...others, schemas: without('Scim', schemas), responses: without('Scim', responses) },
  }
  return head + astToString(await openapiTypescript(products))
}
