import type { Evidence } from '../../diagnostics/explain/evidence.ts'

/** A timeline entry for the terminal. */
export interface EntryText {
  readonly text: string
  /** Further lines. */
  readonly details: readonly string[]
  /** Whether it is a reason for concern. */
  readonly isBad: boolean
}

/** What a timeline entry says. An entry of a kind that this version does not know is named only. */
export function entryText(entry: Evidence): EntryText {
  if (entry.kind === 'request') {
    const { method, path, status, scim_type: scimType, detail } = entry
    const result = scimType === null ? `${status}` : `${status} ${scimType}`
    const details = detail === null ? [] : [detail]
    return { text: `${method} ${readable(path)} → ${result}`, details, isBad: status >= 400 }
  }
  const { sequence, event, state } = entry
  return { text: `${sequence} ${event}, ${state}`, details: [], isBad: state === 'dead' || state === 'held' }
}

const uuid = /([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** A path with its query as a person reads it, with the beginnings of ids. */
function readable(path: string): string {
  const short = path.replaceAll(uuid, '$1…')
  try {
    return decodeURIComponent(short.replaceAll('+', ' '))
  } catch {
    return short
  }
}
