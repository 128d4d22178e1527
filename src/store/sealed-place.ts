/** The sealed columns of a directory, which are written together, with one key. */
export const sealedColumns = [
  'scim_secret',
  'previous_scim_secret',
  'endpoint_secret',
  'previous_endpoint_secret',
  'extdir',
] as const

export type SealedColumn = (typeof sealedColumns)[number]

/** Where a secret is stored: table, column, and what names the row. A secret opens there only, so a place is for ever. */
export type SealedPlace =
  | readonly [table: 'directories', column: SealedColumn, id: string]
  | readonly [table: 'settings', column: 'value', name: string]
  | readonly [table: 'pending_authorizations', column: 'sealed', directoryId: string]

/** The place of a secret of a directory. */
export const directoryPlace = (column: SealedColumn, id: string): SealedPlace => ['directories', column, id]

/** The place of what the service keeps for itself under a name. */
export const settingPlace = (name: string): SealedPlace => ['settings', 'value', name]

/** The place of the authorization that is under way for a directory. */
export const authorizationPlace = (directoryId: string): SealedPlace => [
  'pending_authorizations',
  'sealed',
  directoryId,
]

/** Where secrets are sealed beside directories: one column each, in rows that `key` names. */
export const sealedTexts = [
  { table: 'settings', key: 'name', column: 'value', placeOf: settingPlace },
  { table: 'pending_authorizations', key: 'directory_id', column: 'sealed', placeOf: authorizationPlace },
] as const
