import type { FakeGoogle } from '../../../../tools/fake-google/server.ts'

/** A Workspace of constant size, in which every list has several pages of two. */
export interface SmallCompany {
  /** A group with several pages that is not nested. */
  readonly crowd: string
  /**
   * Makes changes of every kind, so that a sync needs every endpoint: users and groups are added and deleted, names are
   * changed and reassigned, members are moved.
   */
  change(): void
}

/** Fills an empty Workspace. */
export function openSmallCompany(google: FakeGoogle): SmallCompany {
  google.knobs.pageSizeCap = 2
  const [ann, bob, cat] = ['ann', 'bob', 'cat'].map((name) => addUser(google, name))
  const [crowd, inner, outer] = ['crowd', 'inner', 'outer'].map((name) => addGroup(google, name))
  addUser(google, 'dan')
  if (!ann || !bob || !cat || !crowd || !inner || !outer) throw new Error('somebody was not made')
  for (const id of [ann, bob, cat]) google.addUserToGroup(crowd, id)
  google.addUserToGroup(inner, ann)
  google.nestGroup(outer, inner)
  google.addUserToGroup(outer, bob)
  let round = 0
  let guest = addUser(google, 'guest-0')
  let project = addGroup(google, 'project-0')
  google.addUserToGroup(project, guest)

  return {
    crowd,
    change() {
      round += 1
      google.deleteUser(guest)
      google.deleteGroup(project)
      guest = addUser(google, `guest-${round}`)
      project = addGroup(google, `project-${round}`)
      google.addUserToGroup(project, guest)
      google.addUserToGroup(project, ann)
      google.addUserToGroup(crowd, guest)
      moveMember(google, outer, cat, bob)
      moveMember(google, inner, ann, cat)
      swapNames(google, ann, bob)
      google.changeUser(cat, { familyName: `Smith ${round}` })
      google.changeGroup(crowd, { name: `Crowd ${round}` })
    },
  }
}

function addUser(google: FakeGoogle, name: string): string {
  return google.addUser({ primaryEmail: `${name}@example.com`, givenName: name, familyName: 'Smith' }).id
}

function addGroup(google: FakeGoogle, name: string): string {
  return google.addGroup({ email: `${name}@example.com`, name }).id
}

/** Replaces one of two members by the other. */
function moveMember(google: FakeGoogle, groupId: string, one: string, other: string): void {
  const isIn = google.members(groupId).some(({ id }) => id === one)
  google.removeMember(groupId, isIn ? one : other)
  google.addUserToGroup(groupId, isIn ? other : one)
}

function swapNames(google: FakeGoogle, one: string, other: string): void {
  const nameOf = (wanted: string) => google.users().find(({ id }) => id === wanted)?.primaryEmail ?? ''
  const [first, second] = [nameOf(one), nameOf(other)]
  google.renameUser(one, 'in-between@example.com', { dropOld: true })
  google.renameUser(other, first, { dropOld: true })
  google.renameUser(one, second, { dropOld: true })
}
