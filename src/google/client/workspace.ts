import type { GoogleGroup, GoogleMember, GooglePage, GoogleUser } from './items.ts'

/**
 * A customer's Google Workspace, or one domain of it, as a sync run reads it. Every call waits its turn, is repeated as
 * Google asks, and has its token renewed on the way.
 *
 * Every call may throw GoogleFailure; a caller that is told to stop makes it throw the reason of its signal.
 */
export interface Workspace {
  /** The users; the first page without a token. Users that are not of the configured domain are among them. */
  listUsers(pageToken?: string): Promise<GooglePage<GoogleUser>>
  listGroups(pageToken?: string): Promise<GooglePage<GoogleGroup>>
  /**
   * The direct members of a group.
   *
   * @throws GoogleFailure `not-found` or `forbidden` for this group alone, among others
   */
  listMembers(groupId: string, pageToken?: string): Promise<GooglePage<GoogleMember>>
  /** A user by id; undefined when there is none (any more). */
  getUser(id: string): Promise<GoogleUser | undefined>
  getGroup(id: string): Promise<GoogleGroup | undefined>
  /** Whether a user is in a group, directly or by a nested one; `unknown` where Google does not say. */
  hasMember(groupId: string, userId: string): Promise<boolean | 'unknown'>
}
