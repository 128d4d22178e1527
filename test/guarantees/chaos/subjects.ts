import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { ChaosEndpoint } from './endpoint.ts'
import type { PatientClient } from './patient-client.ts'
import type { WriteLog } from './writes.ts'

/** A directory that is provisioned during a run, and the log of its identity provider. */
export interface Subject {
  /** The number of its path at the endpoint. */
  readonly number: number
  readonly directory: DirectoryView
  readonly log: WriteLog
}

/** Creates directories, each with its own tenant and path. */
export async function createSubjects(
  count: number,
  client: PatientClient,
  endpoint: ChaosEndpoint,
): Promise<Subject[]> {
  const subjects: Subject[] = []
  for (let number = 0; number < count; number += 1) {
    const fields = { tenant: `tenant-${number}`, product: 'chaos', ...endpoint.fieldsOf(number) }
    const { answer } = await client.send((to) => to.api('POST', '', fields))
    if (answer.status !== 201) throw new Error(`no directory was created: ${answer.text}`)
    subjects.push({ number, directory: answer.body.data, log: { acknowledged: [], uncertain: 0 } })
  }
  return subjects
}
