import { v7 as uuidv7 } from 'uuid'
import { createAudited } from '../../src/admin/audit/chain.ts'
import type { Audited, Caller } from '../../src/directory/audit.ts'
import { systemCaller } from '../../src/directory/audit.ts'

/** Writes the audit trail for parts that a test composes itself. */
export const testAudited: Audited = createAudited('a key of tests', uuidv7)

/** The caller in such tests. */
export const testCaller: Caller = systemCaller('test')
