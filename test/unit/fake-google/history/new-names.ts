import type { WorkspaceModel } from '../../../../tools/fake-google/model/workspace-model.ts'
import { namePools } from '../../../../tools/simulate/people/names.ts'
import type { Random } from '../random.ts'

/** A name that somebody could have, and an address for it that nobody has. */
export interface NewName {
  readonly givenName: string
  readonly familyName: string
  readonly address: string
}

/** Names and addresses come back: there are few of each, so that many people are namesakes. */
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

/** The address, with a number where that is needed to have one that is free. */
export function freeAddress(model: WorkspaceModel, localPart: string, domain: string): string {
  for (let n = 1; ; n += 1) {
    const address = `${localPart}${n === 1 ? '' : n}@${domain}`
    if (model.ownerOf(address) === undefined) return address
  }
}
