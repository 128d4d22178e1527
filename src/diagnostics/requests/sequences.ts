import type { ScimResponse } from '../../service-provider/request.ts'

/** A range of consecutive sequence numbers, both ends included. */
export type SequenceRange = readonly [first: number, last: number]

/** The sequence numbers of the events of a change as text, such as `7` or `7-9,12`; null without any. */
export function sequenceRanges(response: Pick<ScimResponse, 'events' | 'furtherEvents'> | undefined): string | null {
  if (response === undefined || response.events.length === 0) return null
  const ranges: [number, number][] = []
  for (const { sequence } of response.events) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] + 1 === sequence) last[1] = sequence
    else ranges.push([sequence, sequence])
  }
  const last = ranges.at(-1)
  if (last !== undefined && response.furtherEvents !== undefined) last[1] = response.furtherEvents.lastSequence
  return ranges.map(([first, end]) => (first === end ? `${first}` : `${first}-${end}`)).join(',')
}

/** Reads what `sequenceRanges` wrote. */
export function parseRanges(text: string | null): SequenceRange[] {
  if (text === null) return []
  return text.split(',').map((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return [first, last]
  })
}

/** The maximum number of sequence numbers that are listed of one request; its trace has all events. */
export const maxListedSequences = 1_000

/** The sequence numbers in ranges, the first `maxListedSequences` of them. */
export function listedSequences(ranges: readonly SequenceRange[]): number[] {
  const listed: number[] = []
  for (const [first, last] of ranges) {
    for (let sequence = first; sequence <= last && listed.length < maxListedSequences; sequence += 1)
      listed.push(sequence)
  }
  return listed
}
