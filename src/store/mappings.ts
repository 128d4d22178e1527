import { createBoundedMap } from '../concurrency/bounded-map.ts'
import type { AuditWrite } from '../directory/audit.ts'
import type { DirectoryRevision, MappingReference } from '../directory/directory.ts'
import type { ProvisioningStore } from '../directory/directory-store.ts'
import type { CompiledMapping } from '../mapping/compiled.ts'
import { compileMapping, removedMapping } from '../mapping/compiled.ts'
import type { MappingOwner, MappingStore, MappingVersion, NewMappingVersion } from '../mapping/mapping-store.ts'
import { auditStatements, entryAfter, lockAuditHead, withAuditHead } from './audit-chain.ts'
import { decodeMappingReference, mappingText } from './directories.ts'
import type { MappedRevision } from './mapped-users.ts'
import { runStart } from './mapped-users.ts'
import { decodeRollout, decodeRun, runColumns } from './mapping-runs.ts'
import type { Row } from './row.ts'
import { integer, optionalText, text } from './row.ts'
import type { Conclusion, SqlDatabase, Statement } from './sql-database.ts'
import { decodeDuePage } from './streams.ts'

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
  from directories d where d.id = $1 and d.deleted = 0`

const lock = 'select revision from directory_state where directory_id = $1 and revision >= 0 for update'

const ofDirectory = 'select document from directory_mappings where directory_id = $1 and version = $2'
const ofProduct = 'select document from product_mappings where product = $1 and version = $2'
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
  select r.directory_id as id, d.tenant from mapping_runs r join directories d on d.id = r.directory_id and d.deleted = 0
  where r.completed_at is null and r.directory_id > $1 order by r.directory_id limit $2`
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
  /** The last version of its product; undefined when that has none or it was removed. */
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

/** The statements that put another mapping into effect. */
function taking(
  directoryId: string,
  reference: MappingReference | undefined,
  requestId: string,
  at: number,
): Statement[] {
  return [
    { text: assign, values: [directoryId, reference === undefined ? null : mappingText(reference)] },
    { text: advance, values: [directoryId] },
    runStart(directoryId, { requestId, at }),
  ]
}

/** Mappings of directories and products. */
export function createMappingStore({
  query,
  atomically,
  transaction,
}: SqlDatabase): Omit<MappingStore, 'stepMappingRun' | 'usersToEvaluate'> {
  async function find(owner: MappingOwner) {
    if ('directoryId' in owner) return findOfDirectory(owner.directoryId)
    const [row] = await query({ text: lastOfProduct, values: [owner.product] })
    if (row === undefined) return { reference: undefined, document: undefined, lastVersion: 0 }
    const [version, document] = [integer(row, 'version'), optionalText(row, 'document')]
    const source = document === undefined ? ('removed' as const) : ('product' as const)
    return { reference: { source, version }, document, lastVersion: version }
  }

  async function findOfDirectory(directoryId: string) {
    const [row] = await query({ text: facts, values: [directoryId] })
    if (row === undefined) return undefined
    const { reference, lastVersion } = decodeFacts(row)
    const statement = reference && documentRead({ id: directoryId, product: text(row, 'product') }, reference)
    const [found] = statement === undefined ? [] : await query(statement)
    return { reference, document: found && optionalText(found, 'document'), lastVersion }
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

/** Reads the JSON of a mapping; undefined for one that was removed. */
function documentRead(
  { id, product }: { readonly id: string; readonly product: string },
  { source, version }: MappingReference,
): Statement | undefined {
  if (source === 'removed') return undefined
  return source === 'directory'
    ? { text: ofDirectory, values: [id, version] }
    : { text: ofProduct, values: [product, version] }
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
  return transaction(withAuditHead(reads, audit), (rows): Conclusion<Put> => {
    const [[locked] = [], [row] = []] = rows
    if (locked === undefined || row === undefined) return { statements: [], answer: 'directory-not-found' }
    const known = decodeFacts(row)
    if (known.lastVersion !== version - 1) return { statements: [], answer: 'version-mismatch' }
    const own = { source: 'directory', version } as const
    const reference = document === undefined ? inherited({ ...known, reference: own }) : own
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
    if (known === undefined || known.reference?.source === 'directory') return { statements: [], answer: false }
    const reference = inherited(known)
    const { source, version } = known.reference ?? {}
    const isSame = reference?.source === source && (source === 'removed' || reference?.version === version)
    if (isSame) return { statements: [], answer: false }
    return { statements: taking(directoryId, reference, known.productRequestId ?? '', now), answer: true }
  })
}

/** Documents that are longer than this, in characters, are compiled again sooner: they take more memory. */
const shortDocument = 8_192
const maxShort = 1_000
const maxLong = 20

/** Finds the compiled mapping of a directory; undefined when it has none. */
export type CompiledOf = (directory: DirectoryRevision) => Promise<CompiledMapping | undefined>

/** Compiles each version of a mapping once: a version never changes. */
export function createCompiledMappings(query: SqlDatabase['query']): CompiledOf {
  const short = createBoundedMap<CompiledMapping>(maxShort)
  const long = createBoundedMap<CompiledMapping>(maxLong)
  return async ({ id, product, mapping }) => {
    if (mapping === undefined) return undefined
    const statement = documentRead({ id, product }, mapping)
    if (statement === undefined) return removedMapping
    const key = `${mapping.source} ${mapping.version} ${mapping.source === 'directory' ? id : product}`
    const known = short.get(key) ?? long.get(key)
    if (known !== undefined) return known
    const [row] = await query(statement)
    const document = row && optionalText(row, 'document')
    if (document === undefined) return undefined
    const compiled = compileMapping(document)
    const kept = document.length <= shortDocument ? short : long
    kept.set(key, compiled)
    return compiled
  }
}

/** An operation on users and groups of a directory. */
type Operation<Args extends readonly unknown[], Result> = (directory: MappedRevision, ...args: Args) => Promise<Result>

/** Provisioning that knows the mapping of each directory. Directories without one are not affected. */
export function withMappings(store: ProvisioningStore, compiledOf: CompiledOf): ProvisioningStore {
  function mapped<Args extends readonly unknown[], Result>(
    operation: Operation<Args, Result>,
  ): Operation<Args, Result> {
    return (directory, ...args) =>
      directory.mapping === undefined
        ? operation(directory, ...args)
        : compiledOf(directory).then((compiled) => operation({ ...directory, compiled }, ...args))
  }
  return {
    createUser: mapped(store.createUser),
    replaceUser: mapped(store.replaceUser),
    deleteUser: mapped(store.deleteUser),
    createGroup: mapped(store.createGroup),
    replaceGroup: mapped(store.replaceGroup),
    changeMembers: mapped(store.changeMembers),
    deleteGroup: mapped(store.deleteGroup),
    pruneDeletedUsers: store.pruneDeletedUsers,
  }
}
