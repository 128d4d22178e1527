import type { Endpoint } from '../../../../tools/fake-google/endpoint.ts'

/**
 * What comes of a failure that happens once:
 * - `overcome`: asking again helps, with a new token where the old one was refused
 * - `restarts`: the list has to be read from its beginning; on the first page, and where there are none, it `ends`
 * - `ends`: asking again is no use
 * - `part`: what was asked for cannot be had or is not there, all else can
 * - `lies`: it looks as if all were well
 */
export type Effect = 'overcome' | 'restarts' | 'ends' | 'part' | 'lies'

/** Where a failure can happen, and what comes of it there. */
export type Effects = Partial<Readonly<Record<Effect, readonly Endpoint[]>>>

export const wholeLists: readonly Endpoint[] = ['users.list', 'groups.list']
export const lists: readonly Endpoint[] = [...wholeLists, 'members.list']
export const api: readonly Endpoint[] = [...lists, 'users.get', 'groups.get', 'members.hasMember']
