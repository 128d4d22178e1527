export type { Call, Calls } from './calls.ts'
export type { ClientOptions, RollcallClient } from './client.ts'
export { createClient } from './client.ts'
export type { ComparedRows, ComparedUser, CompareOptions, UserDifference } from './compare.ts'
export { compareUsers } from './compare.ts'
export type { Divergence, FieldProblem, RollcallErrorCode } from './error.ts'
export { RollcallError } from './error.ts'
export type { EventOptions, EventReader } from './feed.ts'
export type { ListOptions } from './pages.ts'
export type { components, operations, paths } from './schema.ts'
export type {
  Delivery,
  Directory,
  EventSelection,
  Group,
  GroupSelection,
  GroupWithMembers,
  In,
  Member,
  MemberSelection,
  ProductScope,
  RawGroup,
  RawUser,
  RollcallEvent,
  Scope,
  User,
  UserSelection,
} from './types.ts'
export type { ComparedField } from './user-digest.ts'
