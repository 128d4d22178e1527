import type { Directory } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { requestView } from '../requests/view.ts'
import type { TimelineEntry, TimelineStore } from '../trace/timeline.ts'
import { timelinePart, timelineStart } from '../trace/timeline.ts'
import type { Subject } from './subjects.ts'

/** How many requests and events are read, and how many entries of their timeline are shown. */
const maxItems = 20
const maxEntries = 50

/** The newest entries of the timeline of a subject, newest first, with the requests that only name it. */
export async function readEvidence(
  store: TimelineStore,
  directory: Directory,
  subject: Subject,
): Promise<TimelineEntry[]> {
  const entries = await timelineOf(store, directory, subject)
  const known = new Set(entries.flatMap((entry) => (entry.kind === 'request' ? [entry.id] : [])))
  const others = subject.requests
    .filter(({ id }) => !known.has(id))
    .slice(0, maxItems)
    .map((request): TimelineEntry => ({ kind: 'request', ...requestView(request) }))
  // Sorting is stable: entries of the same millisecond keep the order that the timeline gave them.
  return [...others, ...entries].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, maxEntries)
}

async function timelineOf(
  store: TimelineStore,
  directory: Directory,
  { id, type }: Subject,
): Promise<readonly TimelineEntry[]> {
  if (id === undefined || type === undefined) return []
  try {
    return (await timelinePart(store, { directory, type, id }, timelineStart, maxItems)).entries
  } catch (error) {
    // An id that only a refused request named.
    if (error instanceof DirectoryError) return []
    throw error
  }
}
