import assert from 'node:assert/strict'
import type { Provider } from '../requirement.ts'
import type { Fields } from './resources.ts'

/** An attribute as `/Schemas` defines it. */
export interface AttributeDefinition extends Fields {
  readonly name: string
  readonly type: string
  readonly multiValued: boolean
  readonly required: boolean
  readonly subAttributes?: readonly AttributeDefinition[]
}

/** A schema as `/Schemas` defines it. */
export interface SchemaDefinition extends Fields {
  readonly id: string
  readonly name: string
  readonly attributes: readonly AttributeDefinition[]
}

/** A resource type as `/ResourceTypes` returns it. */
export interface ResourceTypeDefinition extends Fields {
  readonly name: string
  readonly endpoint: string
  readonly schema: string
  readonly schemaExtensions?: readonly { readonly schema: string; readonly required: boolean }[]
}

/** Every schema of the service provider. */
export async function readSchemas(provider: Provider): Promise<readonly SchemaDefinition[]> {
  return (await read(provider, '/Schemas')) as readonly SchemaDefinition[]
}

/** The attributes of one schema. */
export async function readAttributes(provider: Provider, urn: string): Promise<readonly AttributeDefinition[]> {
  const schemas = await readSchemas(provider)
  return schemas.find(({ id }) => id === urn)?.attributes ?? []
}

/** All attributes of all schemas, including sub-attributes. */
export async function readEveryAttribute(provider: Provider): Promise<AttributeDefinition[]> {
  const attributes = (await readSchemas(provider)).flatMap((schema) => schema.attributes)
  assert(attributes.length > 0, 'there are attributes')
  return attributes.flatMap((attribute) => [attribute, ...(attribute.subAttributes ?? [])])
}

/** Every resource type of the service provider. */
export async function readResourceTypes(provider: Provider): Promise<readonly ResourceTypeDefinition[]> {
  return (await read(provider, '/ResourceTypes')) as readonly ResourceTypeDefinition[]
}

async function read(provider: Provider, path: string): Promise<readonly unknown[]> {
  const response = await provider.send('GET', path)
  assert.equal(response.status, 200, response.text)
  return response.body.Resources
}

/** One line per attribute: its name, type, and the characteristics that differ from a plain singular string. */
export function outline(attributes: readonly AttributeDefinition[], prefix = ''): string[] {
  return attributes.flatMap((attribute) => {
    const { name, type, multiValued, required, subAttributes = [] } = attribute
    const marks = [multiValued ? 'list' : '', required ? 'required' : '', ...marksOf(attribute)].filter(Boolean)
    const line = [prefix + name, type, ...marks].join(' ')
    return [line, ...outline(subAttributes, `${prefix}${name}.`)]
  })
}

function marksOf({ mutability, returned, uniqueness }: AttributeDefinition): string[] {
  return [
    mutability === 'readWrite' ? '' : String(mutability),
    returned === 'default' ? '' : `returned-${returned}`,
    uniqueness === 'none' ? '' : `unique-${uniqueness}`,
  ]
}
