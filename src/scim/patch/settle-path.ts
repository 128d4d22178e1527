import { existingKey } from '../filter/read.ts'
import type { JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { unknownAttribute } from '../schema/attribute.ts'
import { extensionAttributes } from '../schema/attribute-path.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import type { PatchOperation } from './operation.ts'
import type { AttributeTarget, ExtensionTarget, PatchPath } from './path.ts'
import { isUnassigned, unwrapped } from './values.ts'

/**
 * Decides what an unknown URN such as `urn:acme:2.0:User:badge` means: the extension of that name, or the attribute
 * `badge` of the extension before it. What the resource holds decides, then what the value can be.
 */
export function settlePath(
  { path, value }: PatchOperation,
  resource: JsonObject,
  resourceType: ResourceType,
): PatchPath {
  const readings = readingsOf(path, resourceType)
  if (readings === undefined) return path
  const { whole, part } = readings
  if (holds(resource, whole.extension)) return whole
  if (part.extension !== undefined && holds(resource, part.extension)) return part
  const canBeWhole = value === undefined || isUnassigned(value) || isObject(unwrapped(value))
  return canBeWhole ? path : part
}

interface Readings {
  readonly whole: ExtensionTarget
  readonly part: AttributeTarget
}

/** Both readings of a path that has two. */
function readingsOf(path: PatchPath, resourceType: ResourceType): Readings | undefined {
  if (path.kind === 'extension') {
    const part = attributeReading(path.extension, resourceType)
    return part && { whole: path, part }
  }
  const { extension, attribute, subAttribute, filter } = path
  const isSingleName = subAttribute === undefined && filter === undefined
  if (!isSingleName || extension === undefined || extensionAttributes(extension, resourceType)) return undefined
  return { whole: { kind: 'extension', extension: `${extension}:${attribute.name}` }, part: path }
}

function attributeReading(urn: string, resourceType: ResourceType): AttributeTarget | undefined {
  if (extensionAttributes(urn, resourceType)) return undefined
  const colon = urn.lastIndexOf(':')
  const attribute = unknownAttribute(urn.slice(colon + 1))
  return { kind: 'attribute', extension: urn.slice(0, colon), attribute, subAttribute: undefined, filter: undefined }
}

function holds(resource: JsonObject, urn: string): boolean {
  return Object.hasOwn(resource, existingKey(resource, urn))
}
