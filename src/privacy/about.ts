import type { Json, JsonObject } from '../scim/json.ts'
import { isObject } from '../scim/json.ts'
import type { MappedAttributes } from './mapped-attributes.ts'
import { createMappedAttributes } from './mapped-attributes.ts'
import type { Mentions } from './mentions.ts'
import { createMentions } from './mentions.ts'
import type { ErasurePlan, PersonalRow, RowChange } from './privacy-store.ts'

/** The facts about a person while one directory is visited. */
export interface About {
  readonly ids: ReadonlySet<string>
  /** Texts that name the person wherever they occur. */
  readonly identifying: Mentions
  /** These, and all other texts from the person's attributes. */
  readonly all: Mentions
  readonly mapped: MappedAttributes
  /** The sequence numbers of events that concern the person, and of those that are about the person. */
  readonly sequences: Set<number>
  readonly ownSequences: Set<number>
  /** The positions of requests about the person, and of those that are about nobody else. */
  readonly requests: Set<number>
  readonly unassigned: Set<number>
}

/** The beginning of the visit of a directory. */
export function aboutPerson({
  users,
  identifying,
  others,
}: Pick<ErasurePlan, 'users' | 'identifying' | 'others'>): About {
  const naming = createMentions(identifying)
  return {
    ids: new Set(users.map(({ userId }) => userId)),
    identifying: naming,
    mapped: createMappedAttributes(naming),
    all: createMentions([...identifying, ...others]),
    ...{ sequences: new Set(), ownSequences: new Set(), requests: new Set(), unassigned: new Set() },
  }
}

/** The row with other values. */
export function changed(row: PersonalRow, values: Record<string, string | number | null>): RowChange {
  return { row, values }
}

export function objectIn(text: string): JsonObject {
  const value = parsed(text)
  return isObject(value) ? value : {}
}

export function parsed(text: string): Json {
  return JSON.parse(text) as Json
}

export function textIn({ values }: PersonalRow, column: string): string {
  return String(values[column] ?? '')
}

export function numberIn({ values }: PersonalRow, column: string): number {
  return Number(values[column])
}
