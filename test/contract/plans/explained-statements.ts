import { mock } from 'node:test'
import { Client } from 'pg'

/** A node of a plan, as `explain (analyze, format json)` shows it. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly PlanNode[]
}

/** The rows and pages that a statement read. */
export interface ExplainedStatement {
  readonly text: string
  /** The number of rows that its scans of tables and indexes read, including those that a filter removed. */
  readonly rowsRead: number
  /** The number of pages of tables and indexes that it accessed, which also shows skipped index entries. */
  readonly pagesRead: number
  /** The scans that read the most rows, for the message of a failing test. */
  readonly scans: string
}

const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  // The checks of foreign keys.
  'auto_explain.log_nested_statements': 'on',
}

/** The URL of the same database, on whose connections the server explains every statement that it runs. */
export function explainingUrl(url: string, planCacheMode: string): string {
  const explaining = new URL(url)
  const options = Object.entries({ ...settings, plan_cache_mode: planCacheMode })
  explaining.search = `options=${encodeURIComponent(options.map(([name, value]) => `-c ${name}=${value}`).join(' '))}`
  return explaining.href
}

/** Records the statements that run on connections opened from now on with an `explainingUrl`. */
export function recordStatements() {
  let statements: ExplainedStatement[] = []
  const { connect } = Client.prototype
  const listening = mock.method(Client.prototype, 'connect', function (this: Client, ...args: unknown[]) {
    this.on('notice', ({ message = '' }) => {
      if (message.includes('plan:')) statements.push(decode(JSON.parse(message.slice(message.indexOf('{')))))
    })
    return Reflect.apply(connect, this, args)
  })
  return {
    /** The statements that run during `work`. */
    async during(work: () => Promise<unknown>): Promise<ExplainedStatement[]> {
      statements = []
      await work()
      return statements
    },
    [Symbol.dispose]: () => listening.mock.restore(),
  }
}

function decode(explained: { readonly 'Query Text': string; readonly Plan: PlanNode }): ExplainedStatement {
  const scans = [...nodes(explained.Plan)].filter((node) => node['Relation Name'] !== undefined || isIndexScan(node))
  const byRows = scans.toSorted((a, b) => rowsOf(b) - rowsOf(a)).slice(0, 4)
  const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = explained.Plan
  return {
    text: explained['Query Text'],
    rowsRead: scans.reduce((sum, node) => sum + rowsOf(node), 0),
    pagesRead: hit + read,
    scans: byRows.map(describe).join('; '),
  }
}

function* nodes(plan: PlanNode): Generator<PlanNode, void, undefined> {
  yield plan
  for (const child of plan.Plans ?? []) yield* nodes(child)
}

const isIndexScan = (node: PlanNode): boolean => node['Node Type'] === 'Bitmap Index Scan'

function rowsOf(node: PlanNode): number {
  if (node['Node Type'] === 'ModifyTable') return 0
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return ((node['Actual Rows'] ?? 0) + removed) * (node['Actual Loops'] ?? 0)
}

function describe(node: PlanNode): string {
  return `${node['Node Type']} of ${node['Relation Name'] ?? ''} ${node['Index Name'] ?? ''}: ${rowsOf(node)}`
}
