import type { Answer } from '../../support/client.ts'

/** What a requirement's test says to the service provider: a directory of its own, empty at first. */
export interface Provider {
  /** The address of the directory's SCIM resources, without a slash at the end. */
  readonly scimUrl: string
  /** Sends a request with the directory's secret; `path` is below `scimUrl`. */
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Sends a request without any credentials but those among the headers. */
  sendBare(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Another directory of the same service, with nothing in it. */
  another(): Promise<Provider>
}

/** One thing that an RFC asks of a service provider, in our words, and the test that shows it. */
export interface Requirement {
  /** Of the RFC, such as `3.5.2.1`. */
  readonly section: string
  readonly level: 'MUST' | 'SHOULD'
  /** What is asked, as a sentence. */
  readonly text: string
  readonly coveredBy: CoveringTest | Explanation
}

/** A test that would fail if the requirement were not met. */
export interface CoveringTest {
  /** What the test does, as its name; no two tests of an RFC have the same. */
  readonly test: string
  readonly run: (provider: Provider) => Promise<void>
}

/** For the few that no test of the service can show: why, and what is done instead. */
export interface Explanation {
  readonly because: string
}

/** The requirements of one RFC, in the order of its sections. */
export interface Conformance {
  readonly rfc: 7643 | 7644 | 9865
  readonly title: string
  /** The file that the requirements are in, below `test/service/conformance/`. */
  readonly file: string
  readonly requirements: readonly Requirement[]
}

/** Whether a test shows the requirement. */
export function isTested(requirement: Requirement): requirement is Requirement & { readonly coveredBy: CoveringTest } {
  return 'test' in requirement.coveredBy
}
