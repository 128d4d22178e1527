import { requireNode } from '../../src/node-version.ts'
import type { TestDirectory, TestDirectoryOptions } from './test-directory.ts'

export type { RollcallErrorCode } from '../../src/client/error.ts'
export { RollcallError } from '../../src/client/error.ts'
export type {
  IdentityProvider,
  PersonInput,
  ProvisionedUser,
  PushedGroup,
  SimulatedPerson,
} from '../../src/client/testing.ts'
export type { AssertionChanges, FakeEntra, FakeEntraOptions } from '../fake-entra/issuer.ts'
export { startFakeEntra } from '../fake-entra/issuer.ts'
export { CallFailed } from '../simulate/scim-call.ts'
export type { ConnectOptions, ProviderName, TestDirectory, TestDirectoryOptions } from './test-directory.ts'

requireNode('rollcall/testing')

/**
 * Creates a directory of a Rollcall in memory, for one test.
 *
 * @throws Error when the database cannot be opened
 */
export async function createTestDirectory(options: TestDirectoryOptions = {}): Promise<TestDirectory> {
  return (await import('./test-directory.ts')).createTestDirectory(options)
}
