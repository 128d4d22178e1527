import type { WorkspaceModel } from '../../../../tools/fake-google/model/workspace-model.ts'
import { namePools } from '../../../../tools/simulate/people/names.ts'
import type { Random } from '../random.ts'

/** A random name and an unused address for it. */
export interface NewName {
  readonly givenName: string
  readonly familyName: string
  readonly address: string
}

/** There are few names, so that many users share one. */
export function newName(model: WorkspaceModel, random: Random): NewName {
  const pool = random.pick(namePools)
  const [given, family] = [random.pick(pool?.given ?? []), random.pick(pool?.family ?? [])]
  return {
    givenName: given?.text ?? '',
    familyName: family?.text ?? '',
    address: freeAddress(model, `${given?.ascii}.${family?.ascii}`, anyDomain(model, random)),
  }
}

/** One of the customer's domains. */
export function anyDomain(model: WorkspaceModel, random: Random): string {
  return random.pick(model.domains()) ?? 'example.com'
}

/** The address, with a number if it is taken. */
export function freeAddress(model: WorkspaceModel, localPart: string, domain: string): string {
  for (let n = 1; ; n += 1) {
    const address = `${localPart}${n === 1 ? '' : n}@${domain}`
    if (model.ownerOf(address) === undefined) return address
  }
}
