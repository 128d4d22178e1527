/** A person with the details that a simulated identity provider sends. */
export interface SimulatedPerson {
  /** 1, 2, 3 … per seed. */
  readonly number: number
  readonly seed: number
  readonly userName: string
  readonly email: string
  readonly givenName: string
  readonly familyName: string
  readonly title: string
  readonly department: string
  readonly phone: string
  readonly street: string
  /** The family name after the profile has changed. */
  readonly nextFamilyName: string
}

/** A person in the directory of the customer. Missing fields are made up. */
export interface PersonInput {
  readonly email: string
  /** Default: the email address. */
  readonly userName?: string
  readonly givenName?: string
  readonly familyName?: string
  readonly title?: string
  readonly department?: string
}

/** A user that the identity provider has provisioned. */
export interface ProvisionedUser {
  /** The id of the user in Rollcall. */
  readonly id: string
  readonly person: SimulatedPerson
  /** The user id of the person's manager. */
  readonly managerId: string | undefined
}

/** A group that the identity provider has pushed. */
export interface PushedGroup {
  /** The id of the group in Rollcall. */
  readonly id: string
  readonly name: string
  readonly members: readonly ProvisionedUser[]
}

/**
 * The actions of an administrator in an identity provider. Each call sends the requests of the provider, and resolves
 * when its events have arrived.
 *
 * @throws CallFailed when Rollcall refuses a request
 */
export interface IdentityProvider {
  /** Assigns a person to the product: creates a user, or links the one with the userName. */
  assign(person: PersonInput): Promise<ProvisionedUser>
  /** Changes a profile. */
  update(user: ProvisionedUser, changes: Partial<PersonInput>): Promise<ProvisionedUser>
  /** Unassigns the product: deactivates the user. */
  unassign(user: ProvisionedUser): Promise<void>
  /** Deletes the user, which some providers do days after they unassigned the product. */
  remove(user: ProvisionedUser): Promise<void>
  /** Pushes a group with its members: creates it, or links the one with the name. */
  pushGroup(name: string, members: readonly ProvisionedUser[]): Promise<PushedGroup>
  addMembers(group: PushedGroup, members: readonly ProvisionedUser[]): Promise<PushedGroup>
  removeMembers(group: PushedGroup, members: readonly ProvisionedUser[]): Promise<PushedGroup>
  removeGroup(group: PushedGroup): Promise<void>
}
