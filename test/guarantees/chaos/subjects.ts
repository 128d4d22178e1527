import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { ChaosEndpoint } from './endpoint.ts'
import type { HostileKind } from './hostile/attacks.ts'
import type { PatientClient } from './patient-client.ts'
import type { WriteLog } from './writes.ts'

/** A directory that is provisioned during a run, and the log of its identity provider. */
export interface Subject {
  /** The number of its path at the endpoint. */
  readonly number: number
  readonly tenant: string
  /** The attack of its tenant; undefined for a normal tenant. */
  readonly hostile: HostileKind | undefined
  readonly directory: DirectoryView
  readonly log: WriteLog
}

/** The numbers of directories and tenants in a run. */
export interface Crowd {
  readonly directories: number
  readonly tenants: number
  /** The first tenants are hostile, each with its own attack. */
  readonly hostile: readonly HostileKind[]
  /** The mean pause between two writes to a directory of a normal tenant. */
  readonly pauseMs: number
}

/** The attack of the tenant of the directory with this number. */
export function hostileKindOf({ tenants, hostile }: Crowd, number: number): HostileKind | undefined {
  return hostile[number % tenants]
}

/** Creates directories, each with its own path, tenant by tenant in turn. */
export async function createSubjects(crowd: Crowd, client: PatientClient, endpoint: ChaosEndpoint): Promise<Subject[]> {
  const subjects: Subject[] = []
  for (let number = 0; number < crowd.directories; number += 1) {
    const tenant = `tenant-${number % crowd.tenants}`
    const fields = { tenant, product: 'chaos', ...endpoint.fieldsOf(number) }
    const { answer: response } = await client.send((to) => to.api('POST', '', fields))
    if (response.status !== 201) throw new Error(`no directory was created: ${response.text}`)
    const log = { acknowledged: [], uncertain: 0, givenUp: 0, durationsMs: [] }
    subjects.push({ number, tenant, hostile: hostileKindOf(crowd, number), directory: response.body.data, log })
  }
  return subjects
}
