/** An event's place in the sequence, and its time in Unix milliseconds. */
export interface Dated {
  readonly sequence: number
  readonly at: number
}

/**
 * The first sequence number of an event that is not older than a time; undefined when all are. Events are in the order of
 * their times, give or take the clocks of several processes: it takes a look at a few of them, however many there are.
 *
 * @param nextAfter the first event behind a sequence number; early ones may be gone
 */
export async function firstSequenceAt(
  lastSequence: number,
  time: number,
  nextAfter: (sequence: number) => Promise<Dated | undefined>,
): Promise<number | undefined> {
  let [low, high] = [0, lastSequence]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const event = await nextAfter(middle)
    if (event === undefined || event.at >= time) high = middle
    else low = event.sequence
  }
  return (await nextAfter(low))?.sequence
}
