/** Guarantees that every export of the console has what its list shows, and reads it as the client takes it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { CONSOLE_ROLES, isOfPartner } from '../../gateway/config/console-roles.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { routesOfConsole } from '../../gateway/testing/console/console-routes.ts'
import { createConsoleSubjects } from '../../gateway/testing/console/console-subjects.ts'
import { nextPathOf } from '../../gateway/testing/console/console-user.ts'
import { copyRows } from '../../gateway/testing/database/copied-rows.ts'
import { observedDatabase } from '../../gateway/testing/database/observed-database.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts'

const ID = { id: 'uuidv7()' }
const COPIED = {
  payments: { ...ID, bank_request_id: 'gen_random_uuid()', end_to_end_id: `'COPY-' || n`, bank_payment_id: 'uuidv7()' },
  payrolls: ID,
  payroll_transactions: { position: '1000 + n', end_to_end_id: `'SALARY-' || n` },
  approvals: ID,
  cancellations: { ...ID, payment_id: 'uuidv7()' },
  consents: { ...ID, organisation_number: 'n::text' },
  onboardings: ID,
  fx_deals: { ...ID, quote_id: 'uuidv7()', payment_id: 'uuidv7()' },
  audit_log: { ...ID, subject_id: 'uuidv7()' },
  request_log: ID,
}
/** More than one page of an export. */
const COPIES = 520
const ROWS_PER_PAGE = 500
/** What both a list and its export show, in the order of preference. */
const KEYS = ['paymentId', 'svcRequestId', 'endToEndId', 'subjectId', 'id']

let gateway: TestGateway
let ids: Readonly<Record<string, string>>
let statements = 0
let routes: readonly ConsoleRoute[]
beforeAll(async () => {
  gateway = await startTestGateway()
  const { context } = gateway
  const { partner } = await createPartner(context, 'test', { name: newId() })
  ids = await createConsoleSubjects(gateway, partner.id)
  for (const [table, changes] of Object.entries(COPIED)) {
    await copyRows(context.database, { table, partnerId: partner.id, count: COPIES }, changes)
  }
  const database = observedDatabase(context.database.pool, () => {
    statements += 1
  })
  routes = routesOfConsole({ context: { ...context, database } })
})
afterAll(async () => {
  // The copies have no postings in the ledger, which a test gateway checks when it closes.
  await gateway.context.database.pool.query('truncate fx_deals, fx_inbound_funds, fx_ledger_lines')
  await gateway.close()
})

async function answerOf(path: string, query = '') {
  const route = routes.find((each) => each.method === 'GET' && each.path === path)
  const session = { id: ids['sessionId'], name: 'Test', partnerId: ids['partnerId'], subject: 'test' }
  const roles = CONSOLE_ROLES.filter(isOfPartner)
  const viewer = { session: { ...session, roles }, token: 'token' } as unknown as Viewer
  const form = { text: () => '', texts: () => [] } as unknown as ConsoleRequest['form']
  return await route?.handle({ viewer, params: ids, query: new URLSearchParams(query), form })
}

/** The list's rows of all its pages. */
async function readList(path: string): Promise<readonly string[]> {
  const rows: string[] = []
  for (let query: string | undefined = ''; query !== undefined; ) {
    const page = await answerOf(path, query)
    const html = page?.kind === 'page' ? page.body : ''
    const table = html.split('<table>').at(-1) ?? ''
    rows.push(...table.split('<tr>').slice(2))
    query = nextPathOf({ html })?.split('?')[1]
  }
  return rows
}

/** The parts of an export, of which the second is read only when it is asked for. */
async function readParts(path: string): Promise<readonly string[]> {
  const answer = await answerOf(path)
  if (answer?.kind !== 'file' || !(Symbol.asyncIterator in Object(answer.content))) {
    throw new Error(`${path} is not read in parts`)
  }
  const parts = answer.content as AsyncGenerator<string>
  const atBegin = statements
  const first = await parts.next()
  expect(statements, path).toBe(atBegin)
  const second = await parts.next()
  expect(statements, path).toBeGreaterThan(atBegin)
  expect(await parts.next(), path).toEqual({ done: true, value: undefined })
  return [first.value, second.value]
}

const linesOf = (part: string) => part.trimEnd().split('\r\n')

test('each export has the rows of its list in their order, and reads the second page when the first was taken', async () => {
  const exported = routes.flatMap(({ path }) => (path.endsWith('.csv') ? [path] : []))
  expect(exported.length).toBeGreaterThanOrEqual(10)
  for (const path of exported) {
    const [first = '', second = ''] = await readParts(path)
    const [head = '', ...lines] = [...linesOf(first), ...linesOf(second)]
    expect(linesOf(first).length, path).toBe(ROWS_PER_PAGE + 1)
    const column = head.split(',').indexOf(KEYS.find((key) => head.split(',').includes(key)) ?? '')
    const rows = await readList(path.replace(/(\/transactions)?\.csv$/, ''))
    expect([lines.length, lines.length > COPIES, new Set(lines).size], path).toEqual([rows.length, true, rows.length])
    const different = lines.filter((line, n) => rows[n]?.includes(line.split(',')[column] ?? '') !== true)
    expect(different, path).toEqual([])
  }
})
