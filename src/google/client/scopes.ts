/** What a directory is read with: users, groups and their members, read only. These are names, not addresses to call. */
export const googleScopes = [
  'https://www.googleapis.com/auth/admin.directory.user.readonly',
  'https://www.googleapis.com/auth/admin.directory.group.readonly',
  'https://www.googleapis.com/auth/admin.directory.group.member.readonly',
] as const

export type GoogleScope = (typeof googleScopes)[number]
