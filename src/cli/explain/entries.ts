import type { TimelineEntry } from '../../diagnostics/trace/timeline.ts'
import type { JsonObject } from '../../scim/json.ts'

/** A timeline entry for the terminal. */
export interface EntryText {
  readonly text: string
  /** Further lines. */
  readonly details: readonly string[]
  /** Whether it is a reason for concern. */
  readonly isBad: boolean
}

/** The text of a timeline entry; undefined if the event beside it already says the same. */
export function entryText(entry: TimelineEntry): EntryText | undefined {
  switch (entry.kind) {
    case 'request': {
      const { method, path, status, scim_type: scimType, detail } = entry
      const result = scimType === null ? `${status}` : `${status} ${scimType}`
      const details = detail === null ? [] : [detail]
      return { text: `${method} ${readable(path)} → ${result}`, details, isBad: status >= 400 }
    }
    case 'change': {
      const changed = entry.before !== null && entry.after !== null ? changedNames(entry.before, entry.after) : []
      return changed.length === 0 ? undefined : { text: changed.join(', '), details: [], isBad: false }
    }
    case 'event':
      return { text: `${entry.sequence} ${entry.event}`, details: [], isBad: false }
    case 'delivery': {
      const { sequence, target, attempt, status, error, duration_ms: ms } = entry
      const which = attempt === 1 ? '' : `, attempt ${attempt}`
      const result = error ?? `${status ?? 'accepted'} in ${ms} ms`
      return { text: `${sequence} to ${target}${which}: ${result}`, details: [], isBad: error !== null }
    }
    default:
      return undefined
  }
}

/** `active: true → false`, or only the name of a longer value. */
function changedNames(before: JsonObject, after: JsonObject): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return changed.map((name) => {
    const [from, to] = [before[name], after[name]]
    const isShort = [from, to].every(
      (value) => value === undefined || ['string', 'boolean', 'number'].includes(typeof value),
    )
    return isShort ? `${name}: ${from ?? 'none'} → ${to ?? 'none'}` : name
  })
}

const uuid = /([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** A readable path with its query and shortened ids. */
function readable(path: string): string {
  const short = path.replaceAll(uuid, '$1…')
  try {
    return decodeURIComponent(short.replaceAll('+', ' '))
  } catch {
    return short
  }
}
