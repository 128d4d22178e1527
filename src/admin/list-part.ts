/** A place in a list that is in the order of creation. */
export interface AdminListPart {
  readonly after?: { readonly createdAt: number; readonly id: string } | undefined
  readonly limit: number
}
