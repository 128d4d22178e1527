import type { Endpoint } from '../../../../tools/fake-google/endpoint.ts'

/**
 * The effect of a single failure:
 * - `overcome`: a retry succeeds, with a new token if the old one was rejected
 * - `restarts`: the list must be read from the beginning; on the first page, and for requests without pages, the run `ends`
 * - `ends`: a retry does not help
 * - `part`: only the requested resource cannot be read or does not exist
 * - `lies`: it looks like a success
 */
export type Effect = 'overcome' | 'restarts' | 'ends' | 'part' | 'lies'

/** The endpoints where a failure can happen, by effect. */
export type Effects = Partial<Readonly<Record<Effect, readonly Endpoint[]>>>

export const wholeLists: readonly Endpoint[] = ['users.list', 'groups.list']
export const lists: readonly Endpoint[] = [...wholeLists, 'members.list']
export const api: readonly Endpoint[] = [...lists, 'users.get', 'groups.get', 'members.hasMember']
