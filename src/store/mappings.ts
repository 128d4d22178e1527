import { isDeepStrictEqual } from 'node:util'
import type { AuditWrite } from '../directory/audit.ts'
import type { MappingReference } from '../directory/directory.ts'
import { maxCharactersAtOnce, removedMapping } from '../mapping/compiled.ts'
import { extendsProduct } from '../mapping/extend.ts'
import type { MappingOwner, MappingStore, MappingVersion, NewMappingVersion } from '../mapping/mapping-store.ts'
import { auditStatements, entryAfter, lockAuditHead, withAuditHead } from './audit-chain.ts'
import { decodeMappingReference, mappingText } from './directories.ts'
import { followRevision } from './imports.ts'
import { decodeRollout, decodeRun, mappingRunStep, runColumns } from './mapping-runs.ts'
import type { CompiledOf } from './mappings-in-effect.ts'
import { readDocuments } from './mappings-in-effect.ts'
import { createUserPages, decodePlacedUser } from './reads/user-pages.ts'
import type { Row } from './row.ts'
import { integer, optionalText, text } from './row.ts'
import type { Conclusion, SqlDatabase, Statement } from './sql-database.ts'
import { decodeDuePage } from './streams.ts'
import type { Commit } from './write/batch.ts'
import { runStart } from './write/effects/evaluations.ts'

/** The mapping of a directory `d`: its own last version, and the last one of its product. */
const facts = `
  select d.mapping, d.product,
    coalesce((select m.version from directory_mappings m where m.directory_id = d.id order by m.version desc limit 1), 0)
      as last_version,
    (select p.version from product_mappings p where p.product = d.product order by p.version desc limit 1)
      as product_version,
    (select case when p.document is null then 0 else 1 end from product_mappings p where p.product = d.product
      order by p.version desc limit 1) as is_mapped_product,
    (select p.request_id from product_mappings p where p.product = d.product order by p.version desc limit 1)
      as product_request_id
  from directories d where d.id = $1 and d.deleted <> 1`

const lock = 'select revision from directory_state where directory_id = $1 and revision >= 0 for update'

const lastOfProduct = `
  select version, document from product_mappings where product = $1 order by version desc limit 1`

const versionsOf = (table: string, column: string) => `
  select version, document, created_at, created_by from ${table}
  where ${column} = $1 and version < $2 order by version desc limit $3`
const versionsOfDirectory = versionsOf('directory_mappings', 'directory_id')
const versionsOfProduct = versionsOf('product_mappings', 'product')

const addToDirectory = `
  insert into directory_mappings (directory_id, version, document, created_at, created_by) values ($1, $2, $3, $4, $5)`
const addToProduct = `
  insert into product_mappings (product, version, document, created_at, created_by, request_id, passed_at, passed_id)
  values ($1, $2, $3, $4, $5, $6, 0, '')`
const supersede = `
  update product_mappings set passed_at = null, passed_id = null
  where product = $1 and version < $2 and passed_id is not null`
const assign = 'update directories set mapping = $2 where id = $1'
/** Writes that are under way name the former revision, and are refused. */
const advance = 'update directory_state set revision = revision + 1 where directory_id = $1'

const running = `
  select r.directory_id as id, (select d.tenant from directories d where d.id = r.directory_id) as tenant from mapping_runs r
  where r.completed_at is null and r.directory_id > $1
    and (select d.deleted from directories d where d.id = r.directory_id) = 0 order by r.directory_id limit $2`
const rollouts = `
  select product, version, passed_at, passed_id from product_mappings
  where passed_id is not null order by product limit $1`
const pass = `
  update product_mappings set passed_at = $3, passed_id = $4
  where product = $1 and version = $2 and passed_id is not null`

/** The facts that a transaction has about the mapping of a directory. */
interface MappingFacts {
  readonly reference: MappingReference | undefined
  readonly lastVersion: number
  /** The last version of its product's mapping; undefined when that has none or it was removed. */
  readonly productVersion: number | undefined
  readonly productRequestId: string | undefined
}

function decodeFacts(row: Row): MappingFacts {
  return {
    reference: decodeMappingReference(optionalText(row, 'mapping')).mapping,
    lastVersion: integer(row, 'last_version'),
    productVersion: row['is_mapped_product'] === 1 ? integer(row, 'product_version') : undefined,
    productRequestId: optionalText(row, 'product_request_id'),
  }
}

/** The mapping that a directory without one of its own has: that of its product, else none once the users have lost theirs. */
function inherited({ reference, productVersion }: MappingFacts): MappingReference | undefined {
  if (productVersion !== undefined) return { source: 'product', version: productVersion }
  return reference && { source: 'removed', version: reference.version }
}

/** The mapping that a directory has when that of its product has changed. */
function followed(facts: MappingFacts): MappingReference | undefined {
  const { reference } = facts
  if (reference?.source !== 'directory') return inherited(facts)
  return reference.extended === undefined ? reference : own(facts, reference.version, true)
}

/** The mapping of its own, which may extend that of its product. */
function own({ productVersion = 0 }: Pick<MappingFacts, 'productVersion'>, version: number, isExtending: boolean) {
  return { source: 'directory' as const, version, ...(isExtending && { extended: productVersion }) }
}

/** The statements that replace a mapping. */
function taking(
  directoryId: string,
  reference: MappingReference | undefined,
  requestId: string,
  at: number,
): Statement[] {
  return [
    { text: assign, values: [directoryId, reference === undefined ? null : mappingText(reference)] },
    followRevision(directoryId),
    { text: advance, values: [directoryId] },
    runStart(directoryId, { requestId, at }),
  ]
}

/** Mappings of directories and products. */
export function createMappingStore(
  { query, atomically, transaction, dialect }: SqlDatabase,
  commit: Commit,
  compiledOf: CompiledOf,
): Omit<MappingStore, 'onMappingRun'> {
  const pages = createUserPages(dialect)
  async function find(owner: MappingOwner) {
    if ('directoryId' in owner) return findOfDirectory(owner.directoryId)
    const [row] = await query({ text: lastOfProduct, values: [owner.product] })
    if (row === undefined) return { reference: undefined, document: undefined, extended: undefined, lastVersion: 0 }
    const [version, document] = [integer(row, 'version'), optionalText(row, 'document')]
    const source = document === undefined ? ('removed' as const) : ('product' as const)
    return { reference: { source, version }, document, extended: undefined, lastVersion: version }
  }

  async function findOfDirectory(directoryId: string) {
    const [row] = await query({ text: facts, values: [directoryId] })
    if (row === undefined) return undefined
    const { reference, lastVersion } = decodeFacts(row)
    const owner = { id: directoryId, product: text(row, 'product') }
    const documents = reference && (await readDocuments(query, owner, reference))
    return { reference, document: documents?.document, extended: documents?.extended, lastVersion }
  }

  return {
    getMapping: find,
    async listMappingVersions(owner, before, limit) {
      const isDirectory = 'directoryId' in owner
      const values = [isDirectory ? owner.directoryId : owner.product, before, limit]
      return (await query({ text: isDirectory ? versionsOfDirectory : versionsOfProduct, values })).map(decodeVersion)
    },
    putMapping: (owner, version, audit) =>
      'directoryId' in owner
        ? putOfDirectory({ transaction }, owner.directoryId, version, audit)
        : putOfProduct({ transaction }, owner.product, version, audit),
    async stepMappingRun(directory, { users: limit }, at) {
      // Without a mapping, a run gives users the marks of the allowed domains.
      const compiled = directory.mapping === undefined ? removedMapping : await compiledOf(directory)
      return commit(mappingRunStep(directory, compiled, { pages, limit, at, now: dialect.now }))
    },
    async usersToEvaluate(directoryId, after, limit) {
      return (await query(pages.after(directoryId, after, limit, maxCharactersAtOnce))).map(decodePlacedUser)
    },
    async getMappingRun(directoryId) {
      const [row] = await query({
        text: `select ${runColumns} from mapping_runs where directory_id = $1`,
        values: [directoryId],
      })
      return row && decodeRun(row)
    },
    listMappingRuns: async (after, limit) =>
      decodeDuePage(await query({ text: running, values: [after, limit] }), limit),
    async countMappingRuns() {
      const counting = 'select count(*) as n from mapping_runs where completed_at is null'
      return integer((await query({ text: counting, values: [] }))[0] ?? { n: 0 }, 'n')
    },
    listRollouts: async (limit) => (await query({ text: rollouts, values: [limit] })).map(decodeRollout),
    inheritMapping: (directoryId, now) => inherit({ transaction }, directoryId, now),
    async passRollout({ product, version }, passed) {
      const values = [product, version, passed?.createdAt ?? null, passed?.id ?? null]
      await atomically([{ text: pass, values }])
    },
  }
}

function decodeVersion(row: Row): MappingVersion {
  return {
    version: integer(row, 'version'),
    document: optionalText(row, 'document'),
    createdAt: integer(row, 'created_at'),
    createdBy: optionalText(row, 'created_by'),
  }
}

type Put = Awaited<ReturnType<MappingStore['putMapping']>>

/** The row of the directory is locked first, and the end of the audit trail last. */
function putOfDirectory(
  { transaction }: Pick<SqlDatabase, 'transaction'>,
  directoryId: string,
  { version, document, createdAt, createdBy, requestId }: NewMappingVersion,
  audit: AuditWrite | undefined,
): Promise<Put> {
  const reads = [lock, facts].map((statement) => ({ text: statement, values: [directoryId] }))
  const isExtending = document !== undefined && extendsProduct(JSON.parse(document))
  return transaction(withAuditHead(reads, audit), (rows): Conclusion<Put> => {
    const [[locked] = [], [row] = []] = rows
    if (locked === undefined || row === undefined) return { statements: [], answer: 'directory-not-found' }
    const known = decodeFacts(row)
    if (known.lastVersion !== version - 1) return { statements: [], answer: 'version-mismatch' }
    const given = own(known, version, isExtending)
    const reference = document === undefined ? inherited({ ...known, reference: given }) : given
    const values = [directoryId, version, document ?? null, createdAt, createdBy ?? null]
    const added = { text: addToDirectory, values }
    const effects = taking(directoryId, reference, requestId, createdAt)
    return { statements: [added, ...effects, ...auditStatements(rows, audit)], answer: 'stored' }
  })
}

/**
 * The end of the audit trail is locked first, as when a directory is created: a new directory either inherits this mapping, or is there
 * when the rollout begins.
 */
function putOfProduct(
  { transaction }: Pick<SqlDatabase, 'transaction'>,
  product: string,
  { version, document, createdAt, createdBy, requestId }: NewMappingVersion,
  audit: AuditWrite | undefined,
): Promise<Put> {
  const reads = [lockAuditHead, { text: lastOfProduct, values: [product] }]
  return transaction<Put>(reads, ([head, found]) => {
    const last = found?.[0]
    if ((last === undefined ? 0 : integer(last, 'version')) !== version - 1) {
      return { statements: [], answer: 'version-mismatch' }
    }
    const values = [product, version, document ?? null, createdAt, createdBy ?? null, requestId]
    const statements = [
      { text: supersede, values: [product, version] },
      { text: addToProduct, values },
      ...(audit === undefined ? [] : entryAfter(head, audit).statements),
    ]
    return { statements, answer: 'stored' }
  })
}

function inherit(
  { transaction }: Pick<SqlDatabase, 'transaction'>,
  directoryId: string,
  now: number,
): Promise<boolean> {
  const reads = [lock, facts].map((statement) => ({ text: statement, values: [directoryId] }))
  return transaction(reads, ([locked, found]): Conclusion<boolean> => {
    const row = found?.[0]
    const known = locked?.[0] && row && decodeFacts(row)
    const reference = known && followed(known)
    if (known === undefined || isDeepStrictEqual(reference, known.reference)) return { statements: [], answer: false }
    return { statements: taking(directoryId, reference, known.productRequestId ?? '', now), answer: true }
  })
}
