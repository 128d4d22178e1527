import { readFile } from 'node:fs/promises'
import type { JSONWebKeySet } from 'jose'
import { request } from 'undici'
import type { Json, JsonObject } from '../scim/json.ts'
import { isObject, own } from '../scim/json.ts'

/** A receipt in a file, whose signature nobody has verified, with the key of its digest of the subject if that is beside it. */
export interface StoredReceipt {
  readonly text: string
  readonly subjectKey: string | undefined
}

/** @throws Error with a message for the operator */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new Error(`${file} cannot be read: name a file that this user can read.`, { cause })
  }
}

/**
 * The `receipt` fields of responses: of one, of a list, or of several, one in each line. Other texts may come from people who want
 * somebody erased, such as a `reason`.
 */
export function receiptsIn(text: string): StoredReceipt[] {
  const whole = parsedJson(text)
  const documents = whole === undefined ? text.split('\n').map(parsedJson) : [whole]
  return documents.flatMap((document) => {
    const data = (isObject(document) ? own(document, 'data') : undefined) ?? document
    return (Array.isArray(data) ? data : [data]).filter(isObject).flatMap(receiptOf)
  })
}

function receiptOf(fields: JsonObject): StoredReceipt[] {
  const [text, subjectKey] = [own(fields, 'receipt'), own(fields, 'subject_key')]
  if (typeof text !== 'string') return []
  return [{ text, subjectKey: typeof subjectKey === 'string' ? subjectKey : undefined }]
}

/**
 * Reads published keys (JWKS) from a file or an address.
 *
 * @throws Error with a message for the operator
 */
export async function readKeySet(place: string): Promise<JSONWebKeySet> {
  const keys = parsedJson(/^https?:\/\//.test(place) ? await fetchText(place) : await readText(place))
  const list = isObject(keys) ? own(keys, 'keys') : undefined
  if (Array.isArray(list) && list.every(isObject)) return { keys: list } as unknown as JSONWebKeySet
  throw new Error(`${place} is not a set of keys (JWKS).`)
}

async function fetchText(url: string): Promise<string> {
  const response = await request(url, { signal: AbortSignal.timeout(10_000) }).catch((cause: unknown) => {
    throw new Error(`${url} cannot be reached: pass a copy of the keys with --jwks.`, { cause })
  })
  const text = await response.body.text()
  if (response.statusCode === 200) return text
  throw new Error(`${url} responded with ${response.statusCode}: pass a copy of the keys with --jwks.`)
}

function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
