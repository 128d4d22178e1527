import type { Directory } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { requestView } from '../requests/view.ts'
import type { TimelineEntry, TimelineStore } from '../trace/timeline.ts'
import { timelinePart, timelineStart } from '../trace/timeline.ts'
import type { Subject } from './subjects.ts'

/** The maximum number of requests and events that are read, and of entries that are shown. */
const maxItems = 20
const maxEntries = 50

/** The newest entries of the timeline of a subject, newest first, and requests that only name the subject. */
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
  // The sort is stable: entries of the same millisecond keep the order of the timeline.
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
    // Only a refused request has named this id.
    if (error instanceof DirectoryError) return []
    throw error
  }
}
