import type { ColumnType } from '../write/tables.ts'

/** A parameter as the driver sends it: a text, binary, or null. */
export type Parameter = string | Buffer | null

/**
 * Encodes the values of a statement.
 *
 * @throws TypeError for a value that is no parameter
 */
export function encodeParameters(values: readonly unknown[]): Parameter[] {
  return values.map(encodeParameter)
}

function encodeParameter(value: unknown): Parameter {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || value instanceof Buffer) return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `{${value.map(arrayElement).join(',')}}`
  throw new TypeError(`A value of type ${typeof value} cannot be a parameter of a statement.`)
}

function arrayElement(value: unknown): string {
  const text = encodeParameter(value)
  if (text === null) return 'null'
  if (typeof text !== 'string') throw new TypeError('An array of arrays cannot be a parameter of a statement.')
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

const oids = { text: 25, int8: 20, int4: 23 } as const satisfies Record<ColumnType, number>
const headerBytes = 20
const lengthBytes = 4
const nullLength = -1

/**
 * An array in the binary format of PostgreSQL: large texts are neither escaped here nor parsed by the server.
 *
 * @throws TypeError for a value of another type
 */
export function binaryArray(type: ColumnType, values: readonly unknown[]): Buffer {
  if (values.length === 0) return withHeader(Buffer.allocUnsafe(headerBytes), type, 0).subarray(0, 12)
  return type === 'text' ? textArray(values) : integerArray(type, values)
}

function textArray(values: readonly unknown[]): Buffer {
  let size = headerBytes
  for (const value of values) size += lengthBytes + (typeof value === 'string' ? Buffer.byteLength(value) : 0)
  const array = withHeader(Buffer.allocUnsafe(size), 'text', values.length)
  let offset = headerBytes
  for (const value of values) {
    if (typeof value === 'string') {
      const bytes = array.write(value, offset + lengthBytes)
      offset = array.writeInt32BE(bytes, offset) + bytes
    } else if (value === null) offset = array.writeInt32BE(nullLength, offset)
    else throw new TypeError(`A value of type ${typeof value} cannot be in an array of texts.`)
  }
  return array
}

function integerArray(type: 'int8' | 'int4', values: readonly unknown[]): Buffer {
  const bytes = type === 'int8' ? 8 : 4
  const array = withHeader(Buffer.allocUnsafe(headerBytes + values.length * (lengthBytes + bytes)), type, values.length)
  let offset = headerBytes
  for (const value of values) {
    if (typeof value === 'number') {
      offset = array.writeInt32BE(bytes, offset)
      offset = type === 'int8' ? array.writeBigInt64BE(BigInt(value), offset) : array.writeInt32BE(value, offset)
    } else if (value === null) offset = array.writeInt32BE(nullLength, offset)
    else throw new TypeError(`A value of type ${typeof value} cannot be in an array of integers.`)
  }
  return array.subarray(0, offset)
}

/** Writes the number of dimensions, whether there may be nulls, the type, the number of elements, and the first index. */
function withHeader(array: Buffer, type: ColumnType, length: number): Buffer {
  array.writeInt32BE(length === 0 ? 0 : 1, 0)
  array.writeInt32BE(1, 4)
  array.writeInt32BE(oids[type], 8)
  array.writeInt32BE(length, 12)
  array.writeInt32BE(1, 16)
  return array
}
