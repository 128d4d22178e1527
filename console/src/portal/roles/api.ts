import { call, callForPage } from '../api.ts'

/** A group that has arrived. */
export interface PortalGroup {
  readonly id: string
  readonly name: string
  readonly members: number
  /** The role that the customer gave it. */
  readonly role: string | null
  readonly can_change: boolean
}

interface People {
  readonly count: number
  /** The addresses of some of them. */
  readonly examples: readonly string[]
}

/** The changes that a role for a group would make. */
export interface RolePreview {
  readonly roles: readonly {
    readonly role: string
    readonly gain: People
    readonly lose: People
    readonly too_few: boolean
  }[]
}

/** The run that changes the roles of users. */
export interface RolesRun {
  readonly run: {
    readonly state: 'running' | 'completed'
    readonly evaluated: number
    readonly total: number
    readonly changed: number
  } | null
}

const groupsPerPage = 20

/** A page of the groups, or of those with a word that begins with a text. */
export function listGroups(search: string, pageToken: string | undefined) {
  const query = new URLSearchParams({ pageLimit: String(groupsPerPage) })
  if (search !== '') query.set('search', search)
  if (pageToken !== undefined) query.set('pageToken', pageToken)
  return callForPage<readonly PortalGroup[]>('GET', `/groups?${query}`)
}

/** @param role null: none */
export function previewRole(groupId: string, role: string | null): Promise<RolePreview> {
  return call('POST', `${roleOf(groupId)}/preview`, { role })
}

/** @param role null: none */
export function giveRole(groupId: string, role: string | null): Promise<RolesRun> {
  return call('PUT', roleOf(groupId), { role })
}

export function getRun(): Promise<RolesRun> {
  return call('GET', '/roles/run')
}

function roleOf(groupId: string): string {
  return `/groups/${encodeURIComponent(groupId)}/role`
}
