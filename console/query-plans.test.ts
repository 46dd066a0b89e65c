/** Tests every query of every page: of tables that grow it reads a limited number of rows, however many are stored. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPartner } from '../gateway/auth/create-partner.ts'
import { CONSOLE_ROLES, isOfPartner } from '../gateway/config/console-roles.ts'
import { newId } from '../gateway/platform/ids.ts'
import { createConsoleSubjects } from '../gateway/testing/console/console-subjects.ts'
import { type CopyChanges, copyRows } from '../gateway/testing/database/copied-rows.ts'
import { observedDatabase } from '../gateway/testing/database/observed-database.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { openTestDependencies } from '../gateway/webhooks/subscriptions/test-subscription.ts'
import { composeSweeps } from '../launcher/roles/compose-sweeps.ts'
import type { Viewer } from './access/viewer.ts'
import type { ConsoleRequest, ConsoleRoute } from './console-route.ts'
import { consoleRoutes } from './routes.ts'

const ID = { id: 'uuidv7()' }
/** Each copied approval has a copied payment. */
const APPROVAL = `md5('approval ' || n)::uuid`
/** The tables that grow with use, and in what their copied rows differ. */
const GROWING: Readonly<Record<string, CopyChanges>> = {
  payments: { ...ID, bank_request_id: 'gen_random_uuid()', end_to_end_id: `'COPY-' || n`, bank_payment_id: 'uuidv7()' },
  payment_history: { ...ID, payment_id: 'uuidv7()' },
  payrolls: ID,
  payroll_transactions: { payroll_id: 'uuidv7()' },
  approvals: { id: APPROVAL },
  approval_payments: { approval_id: APPROVAL, payment_id: 'uuidv7()' },
  cancellations: { ...ID, payment_id: 'uuidv7()' },
  consents: { ...ID, organisation_number: 'n::text' },
  consent_accounts: { ...ID, consent_id: 'uuidv7()' },
  sca_sessions: { ...ID, subject_id: 'uuidv7()' },
  sca_steps: { sca_session_id: 'uuidv7()', target_id: 'uuidv7()' },
  onboardings: ID,
  companies: { ...ID, organisation_number: 'n::text' },
  fx_deals: { ...ID, quote_id: 'uuidv7()', payment_id: 'uuidv7()' },
  fx_inbound_funds: { ...ID, provider_funds_id: 'uuidv7()' },
  events: { ...ID, position: 't.position + n', subject_id: 'uuidv7()' },
  webhook_deliveries: { ...ID, event_id: 'uuidv7()', sequence: 't.sequence + 100 * n', subject_id: 'uuidv7()' },
  webhook_inbox_deliveries: ID,
  audit_log: { ...ID, subject_id: 'uuidv7()' },
  request_log: ID,
  bank_calls: { ...ID, request_id: 'gen_random_uuid()::text' },
  operator_tasks: { ...ID, subject_id: 'uuidv7()', status: `'resolved'` },
}
const COPIES = Number(process.env['HAVN_CONSOLE_COPIES'] ?? 1_500)

/** Counts on the overview stop at a thousand; anything that reads more reads all. */
const READ_MAX = 1_100
/** Files hold up to ten thousand rows. */
const FILE = /\.csv$/

/** Queries that read more, and why they may. */
const EXEMPT: readonly { readonly query: RegExp; readonly because: string }[] = [
  {
    query: /row_number\(\) over \(order by created_at desc/,
    because: 'a search without an index ends after 10,000 payments',
  },
  {
    query: /^\s*select p\.day, p\.bic, p\.status, p\.reason, count/,
    because: 'the figures of banks count the newest 10,000 payments, in the order of an index',
  },
  {
    query: /^select \* from "fx_(deals|inbound_funds)" where state not in/,
    because: 'open deals and funds are few, and 500 of them are shown',
  },
  {
    query: /from "consents" c, lateral \(\s+select \* from "approvals"/,
    because: 'of a company it reads the approvals of its consents, which live for 180 days at most',
  },
]

/** A filter of each kind, in pairs, as forms send them. */
const QUERIES = [
  '',
  'status=Rejected',
  'status=STARTED',
  'status=ACCEPTED&company=987654325',
  'from=2026-11-01&to=2026-11-20',
  'q=COPY-7',
  'q=01a207a5-2c40-7d1e-8a55-6f0c3b9e4d21',
  'q=1250',
  'id=01a207a5-2c40-7d1e-8a55-6f0c3b9e4d21',
  'company=987654325',
  'signed=no&from=2026-11-01&to=2026-11-20',
  'currency=EUR&from=2026-11-01&to=2026-11-20',
]

/** Pages write little: their sessions, and who has read documents. */
const QUERY = /^\s*(select|with)\b/i
const TIMEOUT_MILLISECONDS = 120_000 + COPIES * 5

type Statement = { readonly text: string; readonly values: readonly unknown[] }
type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

let gateway: TestGateway
let ids: Readonly<Record<string, string>>
beforeAll(async () => {
  gateway = await startTestGateway()
  const { partner } = await createPartner(gateway.context, 'test', { name: newId() })
  ids = await createConsoleSubjects(gateway, partner.id)
  for (const [table, changes] of Object.entries(GROWING)) {
    await copyRows(gateway.context.database, { table, partnerId: partner.id, count: COPIES }, changes)
  }
}, TIMEOUT_MILLISECONDS)
afterAll(async () => {
  // The copies have no postings in the ledger, which a test gateway checks when it closes.
  await gateway.context.database.pool.query('truncate fx_deals, fx_inbound_funds, fx_ledger_lines')
  await gateway.close()
})

/** Every query of every page, with every filter that the page knows, as operators and as users of the partner. */
async function statementsOfPages(): Promise<ReadonlyMap<string, Statement & { readonly path: string }>> {
  const statements = new Map<string, Statement & { readonly path: string }>()
  let shown = ''
  const { context } = gateway
  const record = (text: string, values: readonly unknown[]) => {
    statements.set(`${text} ${values.map((value) => typeof value).join()}`, { text, values, path: shown })
  }
  const database = observedDatabase(context.database.pool, record)
  const routes = consoleRoutes({
    ...context,
    database,
    simulation: null,
    webhookTests: openTestDependencies(context),
    sweeps: () => composeSweeps({ ...context, database }),
    callApi: async () => ({ status: 503, body: '' }),
  })
  const pages = routes.filter(({ method, isLive, path }) => method === 'GET' && isLive !== true && !FILE.test(path))
  for (const route of pages) {
    const names = new Set<string>()
    for (const query of QUERIES.map((text) => new ObservedQuery(text, names))) {
      // A page that reads none of its parameters has the queries that it has without any.
      if (query.size === 0 || [...query.keys()].some((name) => names.has(name))) {
        for (const partnerId of [null, ids['partnerId'] ?? '']) {
          shown = `${route.path}?${query}`
          await show(route, query, partnerId)
        }
      }
    }
  }
  return statements
}

/** Parameters that add to a set which of them a page reads, whether or not they are there. */
class ObservedQuery extends URLSearchParams {
  readonly #read: Set<string>
  constructor(text: string, read: Set<string>) {
    super(text)
    this.#read = read
  }
  override get(name: string): string | null {
    this.#read.add(name)
    return super.get(name)
  }
  override has(name: string): boolean {
    this.#read.add(name)
    return super.has(name)
  }
}

/** Pages that a user may not see at all are shown, too: here only their queries matter. */
async function show(route: ConsoleRoute, query: URLSearchParams, partnerId: string | null): Promise<void> {
  const roles = CONSOLE_ROLES.filter((role) => isOfPartner(role) === (partnerId !== null))
  const session = { id: ids['sessionId'], name: 'Test', partnerId, roles, subject: 'test' }
  const viewer = { session, token: 'token', partnerName: null, path: '/console', isSandbox: true } as unknown as Viewer
  const form = { text: () => '', texts: () => [] } as unknown as ConsoleRequest['form']
  await route.handle({ viewer, params: ids, query, form }).catch(() => undefined)
}

/** What reads too many rows of a table that grows. */
function excessiveReads(node: PlanNode): readonly string[] {
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index = '', Plans: below = [] } = node
  const found = below.flatMap((child) => excessiveReads(child))
  const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  return GROWING[table] !== undefined && read > READ_MAX
    ? [...found, `${table}: ${type} ${index} reads ${read} rows`]
    : found
}

async function planOf({ text, values }: Statement): Promise<PlanNode> {
  const connection = await gateway.context.database.pool.connect()
  try {
    await connection.query('begin')
    const { rows } = await connection.query(`explain (analyze, format json, timing off) ${text}`, [...values])
    return rows[0]['QUERY PLAN'][0].Plan
  } finally {
    await connection.query('rollback')
    connection.release()
  }
}

test('reads a limited number of rows', { timeout: TIMEOUT_MILLISECONDS }, async () => {
  const statements = await statementsOfPages()
  expect(statements.size).toBeGreaterThan(60)
  const findings: string[] = []
  for (const statement of statements.values()) {
    if (QUERY.test(statement.text) && !EXEMPT.some(({ query }) => query.test(statement.text))) {
      const reads = excessiveReads(await planOf(statement))
      findings.push(...reads.map((read) => `${statement.path}: ${read}: ${statement.text.replaceAll(/\s+/g, ' ')}`))
    }
  }
  expect(findings).toEqual([])
})
