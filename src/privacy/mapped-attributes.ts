import { fold } from '../scim/fold.ts'
import type { Json, JsonObject } from '../scim/json.ts'
import { isObject } from '../scim/json.ts'
import type { Mentions } from './mentions.ts'
import { erasedText } from './mentions.ts'

/** The fields of somebody else before and after an erasure, from which a mapping has made attributes. */
export interface Sources {
  readonly before: JsonObject
  readonly after: JsonObject
}

/** Erases attributes that a mapping has made of texts about the person, at others. */
export interface MappedAttributes {
  /** Returns whether a text of JSON has an attribute that was erased at a user: some events have no sources. */
  isIn(text: string, userId: string): boolean
  /** The value of an attribute of a user: an erased text if it is about the person. */
  without(userId: string, name: string, value: Json, sources: Sources): Json
}

/**
 * Transformations change case and cut texts: a part of an erased text is about the person, too, unless it is in a text that stays,
 * such as the domain of the user's own address.
 */
export function createMappedAttributes(mentions: Mentions): MappedAttributes {
  /** The erased attributes of each user, as they are in JSON. */
  const erased = new Map<string, Set<string>>()

  function isAboutPerson(value: string | number, { before, after }: Sources): boolean {
    const part = fold(String(value).trim())
    const kept = [...textsOf(after)].filter((text) => text.includes(part))
    if (mentions.isInValue(value)) return !kept.some((text) => mentions.isInValue(text))
    return part !== '' && kept.length === 0 && [...textsOf(before)].some((text) => text.includes(part))
  }

  return {
    isIn: (text, userId) => [...(erased.get(userId) ?? [])].some((member) => text.includes(member)),
    without(userId, name, value, sources) {
      if (typeof value !== 'string' && typeof value !== 'number') return value
      const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`
      const known = erased.get(userId) ?? new Set()
      if (!known.has(member) && !isAboutPerson(value, sources)) return value
      erased.set(userId, known.add(member))
      return erasedText
    },
  }
}

/** Attributes that no mapping reads. */
const unread: ReadonlySet<string> = new Set(['id', 'schemas', 'meta'])

function* textsOf(value: Json): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') yield fold(String(value))
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item)
  else if (isObject(value))
    for (const [name, item] of Object.entries(value)) if (!unread.has(name)) yield* textsOf(item)
}
