/**
 * Lists are in the order of the events that created their rows, and these sequence numbers have gaps. To find the row at
 * an offset without walking there, each list counts its rows per bucket of sequence numbers: the rows before an offset are
 * the sum of a few counts and a walk within one bucket, whatever the length of the list.
 */
export const bucketSize = 1024

/** The list of a directory's users or groups; the list of a group's members has the id of the group as its name. */
export type ListName = 'users' | 'groups' | (string & {})
