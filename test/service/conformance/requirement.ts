import type { ScimProfile } from '../../../src/scim/schema/resource-type.ts'
import type { Answer } from '../../support/client.ts'

/** The SCIM endpoint of a directory created for one test, initially empty. */
export interface Provider {
  /** How the directory reads requests. */
  readonly profile: ScimProfile
  /** The base URL of the directory's SCIM resources, without a trailing slash. */
  readonly scimUrl: string
  /** Sends a request with the directory's secret; `path` is below `scimUrl`. */
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Sends a request without credentials, unless the headers contain some. */
  sendBare(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Creates another, empty directory of the same service. */
  another(): Promise<Provider>
}

/** One requirement of an RFC for a service provider, in our own words, and the test that covers it. */
export interface Requirement {
  /** The section of the RFC, such as `3.5.2.1`. */
  readonly section: string
  readonly level: 'MUST' | 'SHOULD'
  /** The requirement as a sentence. */
  readonly text: string
  readonly coveredBy: (CoveringTest | Explanation) & {
    /** The test of a strict directory, where it differs. */
    readonly strict?: CoveringTest | Explanation
  }
  /** What the service does otherwise. */
  readonly deviation?: Deviation
}

/** A deviation from a requirement. */
export interface Deviation {
  /** What the service does, and why, as a sentence. */
  readonly text: string
  /** The setting of a directory that ends it, or a sentence that says why none does. */
  readonly endedBy: 'scim_profile: "strict"' | 'scim_auth: "oauth"' | { readonly none: string }
}

/** A test that would fail if the requirement were not met. */
export interface CoveringTest {
  /** The title of the test, unique within an RFC. */
  readonly test: string
  readonly run: (provider: Provider) => Promise<void>
}

/** The test of a requirement for directories of a profile; undefined if an explanation replaces it. */
export function testFor({ coveredBy }: Requirement, profile: ScimProfile): CoveringTest | undefined {
  const covering = (profile === 'strict' ? coveredBy.strict : undefined) ?? coveredBy
  return 'test' in covering ? covering : undefined
}

/** The reason why a requirement has no test, and the check that replaces it. */
export interface Explanation {
  readonly because: string
}

/** The requirements of one RFC, in the order of its sections. */
export interface Conformance {
  readonly rfc: 7643 | 7644 | 9865
  readonly title: string
  /** The folder of the requirements, below `test/service/conformance/`. */
  readonly folder: string
  readonly requirements: readonly Requirement[]
}

/** Whether a test covers the requirement. */
export function isTested(requirement: Requirement): requirement is Requirement & { readonly coveredBy: CoveringTest } {
  return 'test' in requirement.coveredBy
}
