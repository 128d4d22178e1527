import { fold } from '../scim/fold.ts'
import type { Json, JsonObject } from '../scim/json.ts'
import { isObject, own } from '../scim/json.ts'
import { emailOf, emailValues, familyNameOf, givenNameOf } from '../scim/resource/user-fields.ts'
import { isUnspaced } from './mentions.ts'

/** The attributes whose values are the same for many people, or that name somebody else. */
const common: ReadonlySet<string> = new Set([
  ...['schemas', 'id', 'meta', 'groups', 'active', 'locale', 'preferredlanguage', 'timezone', 'usertype'],
  ...['roles', 'entitlements', 'manager', 'type', 'primary', '$ref', 'country'],
])

/** The attributes whose values name one person. */
const identifying: ReadonlySet<string> = new Set([
  ...['username', 'externalid', 'emails', 'phonenumbers', 'ims', 'photos', 'profileurl', 'x509certificates'],
  ...['displayname', 'employeenumber'],
])

/** Those that are usually different for everybody. */
const nameAttribute = /^(?:username|externalid|emails(?:\.value)?)$/

/** The most texts of each kind that an erasure looks for: those of the newest states of the person. */
const maxTerms = 500

/** The texts in the attributes of a user. */
export interface AttributeTexts {
  /** The texts that name the person wherever they occur, each with its attribute. */
  readonly identifying: ReadonlyMap<string, string>
  readonly others: ReadonlyMap<string, string>
}

/** The folded texts of a resource, each with the path of its attribute. */
export function attributeTexts(resource: JsonObject): AttributeTexts {
  const found = { identifying: new Map<string, string>(), others: new Map<string, string>() }
  for (const { path, value } of textsIn(resource, [])) {
    const names = path.map((name) => name.toLowerCase())
    const text = fold(value.trim())
    if (text === '' || names.some((name) => common.has(name))) continue
    const isIdentifying = names.some((name) => identifying.has(name)) || names.join('.') === 'name.formatted'
    const attribute = names.join('.')
    if (isIdentifying) {
      // A displayName may be the address: the attribute that names only this user counts.
      if (!found.identifying.has(text) || nameAttribute.test(attribute)) found.identifying.set(text, attribute)
    } else if (isLong(text)) found.others.set(text, attribute)
    // A short first or last name is also a word of sentences: only whole values name the person.
    else if (names[0] === 'name') found.others.set(`"${text}"`, attribute)
  }
  for (const name of fullNames(resource).map(fold)) {
    if (!found.identifying.has(name)) found.identifying.set(name, 'name.formatted')
  }
  return found
}

/** Shorter texts, such as a title or a room, are found in too much that is not about the person. */
function isLong(text: string): boolean {
  return text.length >= (isUnspaced(text) ? 2 : 4)
}

function* textsIn(value: Json, path: readonly string[]): Generator<{ path: readonly string[]; value: string }> {
  if (typeof value === 'string' || typeof value === 'number') yield { path, value: String(value) }
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item, path)
  else if (isObject(value)) for (const [name, item] of Object.entries(value)) yield* textsIn(item, [...path, name])
}

/** The first and last name in the orders in which they are written; none when one of them is missing. */
function fullNames(resource: JsonObject): string[] {
  const [given, family] = [givenNameOf(resource).trim(), familyNameOf(resource).trim()]
  if (given === '' || family === '') return []
  const joined = isUnspaced(given) && isUnspaced(family) ? [family + given, given + family] : []
  return [`${given} ${family}`, `${family} ${given}`, `${family}, ${given}`, ...joined]
}

/** Collects the texts of a person from the states of a user, the newest first. */
export interface PersonTexts {
  add(resource: JsonObject): void
  /** Leaves out what another user has in the same attribute: it does not name the person. */
  exclude(resource: JsonObject): void
  identifying(): string[]
  others(): string[]
  /** Returns whether a resource has a name, external id or address of the person, as an attribute of its own. */
  isNamedIn(resource: JsonObject): boolean
}

export function createPersonTexts(): PersonTexts {
  const found = { identifying: new Map<string, string>(), others: new Map<string, string>() }
  const kinds = ['identifying', 'others'] as const
  return {
    add(resource) {
      const texts = attributeTexts(resource)
      for (const kind of kinds) {
        for (const [text, path] of texts[kind]) {
          if (found[kind].size < maxTerms && !found[kind].has(text)) found[kind].set(text, path)
        }
      }
    },
    exclude(resource) {
      const texts = attributeTexts(resource)
      for (const kind of kinds) {
        for (const [text, path] of texts[kind]) if (found[kind].get(text) === path) found[kind].delete(text)
      }
    },
    identifying: () => [...found.identifying.keys()],
    others: () => [...found.others.keys()],
    isNamedIn: (resource) =>
      [...attributeTexts(resource).identifying].some(
        ([text, path]) => nameAttribute.test(path) && nameAttribute.test(found.identifying.get(text) ?? ''),
      ),
  }
}

/** Returns whether a user is meant by a subject: its userName, externalId, or one of its e-mail addresses. */
export function isMeant(resource: JsonObject, subject: string): boolean {
  const names = [own(resource, 'userName'), emailOf(resource), ...emailValues(resource)]
  return own(resource, 'externalId') === subject || names.some((name) => isSame(name, subject))
}

function isSame(name: Json | undefined, subject: string): boolean {
  return typeof name === 'string' && fold(name) === fold(subject)
}

/** The user in the data of an event about it, with the attributes that an update changed before; undefined when it is erased. */
export function resourcesInEvent(data: JsonObject, changes: JsonObject | undefined): JsonObject[] {
  const raw = own(data, 'raw')
  const before = Object.entries(changes ?? {}).flatMap(([name, change]) =>
    isObject(change) ? [[name, own(change, 'from') ?? null] as const, [name, own(change, 'to') ?? null] as const] : [],
  )
  const shown = { name: { givenName: own(data, 'first_name') ?? '', familyName: own(data, 'last_name') ?? '' } }
  const email = own(data, 'email')
  return [
    isObject(raw) ? raw : { ...shown, emails: [{ value: email ?? '' }] },
    ...before.map(([name, value]) => ({ [name]: value })),
  ]
}

/** The id in the data of an event, which begins with it. Ids have no characters that JSON escapes. */
export function idInEvent(data: unknown): string {
  return /^\{"id":"([^"]*)"/.exec(String(data))?.[1] ?? ''
}
