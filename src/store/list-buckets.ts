/**
 * Lists are in the order of the events that made their rows, and those sequence numbers have gaps. To find the row at an
 * offset without walking there, each list counts its rows per bucket of sequence numbers: what is before an offset is a
 * sum over a few counts and a walk within one bucket, whatever the list's length.
 */
export const bucketSize = 1024

/** The list of a directory's users, or of its groups; the members of a group are the list named by the group's id. */
export type ListName = 'users' | 'groups' | (string & {})

/** The bucket that a sequence number falls into. */
export function bucketOf(sequence: number): number {
  return Math.floor(sequence / bucketSize)
}
