/** Tests the operator tasks of the console: filters and pages, the page of a task, and who resolves it how. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import type { TaskKind } from '../../gateway/operators/operator-task.ts'
import { raiseTask } from '../../gateway/operators/raise-task.ts'
import { closeResolvedTask, getOpenTasks, requireTask } from '../../gateway/operators/resolve-task.ts'
import { taskSearchQuery } from '../../gateway/operators/search-tasks.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { storeDeal, storeHeldFunds } from '../../gateway/testing/console/stored-deals.ts'
import { createReviewedOnboarding } from '../../gateway/testing/console/stored-onboardings.ts'
import { storePayments } from '../../gateway/testing/console/stored-payments.ts'
import { storePayroll } from '../../gateway/testing/console/stored-payrolls.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { LIST_ROWS } from '../lists/next-page.ts'

let gateway: TestGateway
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  partnerId = (await createPartner(gateway.context, 'test', { name: 'Tasked' })).partner.id
})
afterAll(() => gateway.close())

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await gateway.context.database.pool.query(text, [...values])).rows

/** Raises a task, and returns its id. */
async function raise(kind: TaskKind, subjectId = newId(), detail = {}): Promise<string> {
  await raiseTask(gateway.context, { partnerId, kind, subjectType: 'payment', subjectId, detail })
  return (await getOpenTasks(gateway.context)).find((task) => task.subjectId === subjectId)?.id ?? ''
}

/** Resolves a task as an operator of the command line does. */
async function resolveElsewhere(id: string): Promise<void> {
  const task = await requireTask(gateway.context, id)
  await closeResolvedTask(
    gateway.context,
    task,
    { subject: 'user Jonas', name: 'Jonas', actor: 'operator Jonas (user Jonas)' },
    { type: 'noted', note: 'It was intended' },
  )
}

/** The ids of the listed tasks. */
const listed = (html: string) => [...html.matchAll(/<a href="\/console\/tasks\/([\w-]+)">/g)].map(([, id]) => id)

/** The hidden fields of the form with this button. */
function hiddenOf(html: string, button: string): Record<string, string> {
  const form = (html.match(/<form[\s\S]*?<\/form>/g) ?? []).find((text) => text.includes(`>${button}</button>`)) ?? ''
  const fields = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]))
}

/** The text of a page, with ordinary spaces. */
const shown = (page: Parameters<typeof textOf>[0]) => textOf(page).replaceAll('\u00a0', ' ')

/** The row of a task in the list. */
async function rowOf(id: string): Promise<string> {
  const page = await (await signInAs(gateway, 'operator-reader')).open('/console/tasks')
  const html = page.html.slice(page.html.indexOf(`/console/tasks/${id}"`))
  return shown({ ...page, html: `<main>${html.slice(0, html.indexOf('</tr>'))}</main>` })
}

type Role = Parameters<typeof signInAs>[1]

/** A browser with the page of a task, and how it presses a button there. */
async function openTask(id: string, role: Role = 'operator') {
  const browser = await signInAs(gateway, role)
  const page = await browser.open(`/console/tasks/${id}`)
  return {
    page,
    press: (button: string, fields: Record<string, string> = {}) =>
      browser.post(`/console/tasks/${id}/resolve`, new URLSearchParams({ ...hiddenOf(page.html, button), ...fields })),
  }
}

describe('the list of tasks', () => {
  beforeEach(() => sql('delete from operator_tasks'))

  const open = async (query = '') => {
    const browser = await signInAs(gateway, 'operator-reader')
    return await browser.open(`/console/tasks${query}`)
  }

  it('shows those that wait, the oldest first, and resolved ones on request', async () => {
    expect(textOf(await open())).toContain('No task waits')
    const [first, second, third] = [
      await raise('StuckInProgress'),
      await raise('UnknownOutcome'),
      await raise('LostBasket'),
    ]
    await resolveElsewhere(second)
    expect(listed((await open()).html)).toEqual([first, third])
    expect(listed((await open('?status=resolved')).html)).toEqual([second])
    expect(textOf(await open('?status=proposed'))).toContain('No task matches')
  })

  it('is filtered by kind and partner, and explains a filter that makes no sense', async () => {
    const [stuck] = [await raise('StuckInProgress'), await raise('LostBasket')]
    expect(listed((await open('?kind=StuckInProgress')).html)).toEqual([stuck])
    expect(listed((await open(`?partner=${partnerId}`)).html)).toHaveLength(2)
    expect(listed((await open(`?partner=${newId()}`)).html)).toEqual([])
    const wrong = await open('?kind=Nonsense')
    expect([wrong.status, textOf(wrong)]).toEqual([422, expect.stringContaining('Choose one of the kinds')])
  })

  it.each(['', 'resolved'])('is continued on a second page (%s)', async (status) => {
    for (let n = 0; n < LIST_ROWS + 1; n += 1) {
      const id = await raise('LostBasket')
      await (status === 'resolved' ? resolveElsewhere(id) : undefined)
    }
    const first = await open(`?status=${status}`)
    const after = /after=([\w-]+)|after&#61;([\w-]+)/.exec(first.html)
    const second = await open(`?status=${status}&after=${after?.[1] ?? after?.[2]}`)
    expect(new Set([...listed(first.html), ...listed(second.html)]).size).toBe(LIST_ROWS + 1)
    expect(listed(second.html)).toHaveLength(1)
  })
})

describe('the page of a task', () => {
  beforeEach(() => sql('delete from operator_tasks'))

  it('shows what to do, the evidence, the history, and a link to the payment', async () => {
    const [payment = ''] = await storePayments(gateway, 1, { partnerId })
    const id = await raise('UnknownOutcome', payment, { bankRequestId: 'request-1' })
    const { page } = await openTask(id, 'operator-reader')
    expect(page.html).toContain(`href="/console/payments/${payment}"`)
    expect(textOf(page)).toMatch(/Tasked.*What to do .*Evidence bankRequestId request-1/)
    expect(page.html).not.toContain('<form class="form"')
  })

  it('says what it is about, as the list does: bank, amount and creditor', async () => {
    const [payment = ''] = await storePayments(gateway, 1, { partnerId })
    const id = await raise('UnknownOutcome', payment)
    const { page } = await openTask(id, 'operator-reader')
    expect(shown(page)).toMatch(
      /Creditor Granli Trelast AS Amount 1 250,00 NOK Bank Fjordbanken \(FJORNO22\) Company 987 654 325 Due date 21\.11\.2026/,
    )
    expect(await rowOf(id)).toMatch(/1 250,00 NOK Granli Trelast AS Fjordbanken Payment/)
  })

  it('says of a payroll how many transactions it has, and nothing of their amounts', async () => {
    const payrollId = await storePayroll(gateway, { partnerId, transactions: 2 })
    const [order] = await sql('select id from payments where payroll_id = $1', [payrollId])
    for (const subjectId of [payrollId, order.id]) {
      const id = await raise('PayrollNotWithdrawn', subjectId)
      const { page } = await openTask(id, 'operator-reader')
      expect(shown(page)).toMatch(
        /Transactions 2 Bank Havbanken \(HAVBNO22\) Company 987 654 325 Due date 01\.12\.2026/,
      )
      expect(await rowOf(id)).toMatch(/2 transactions 987 654 325 Havbanken/)
      expect(shown(page)).not.toMatch(/90 000|9000050|SAL-1/)
    }
  })

  it('says what company, deal and funds it is about', async () => {
    const onboarding = await createReviewedOnboarding(gateway, partnerId)
    const subjects = [
      [onboarding.id, 'onboarding', /Onboarding .*Company .*\d{3} \d{3} \d{3}/],
      [await storeDeal(gateway, partnerId), 'deal', /FX deal .*Amount 90,00 NOK/],
      [await storeHeldFunds(gateway, partnerId), 'receipt', /Funds at the FX provider .*Amount 12,50 NOK/],
    ] as const
    for (const [subjectId, subjectType, expected] of subjects) {
      await raiseTask(gateway.context, { partnerId, kind: 'StuckInProgress', subjectType, subjectId, detail: {} })
      const [{ id }] = await sql('select id from operator_tasks where subject_id = $1 and kind = $2', [
        subjectId,
        'StuckInProgress',
      ])
      expect(shown((await openTask(id, 'operator-reader')).page)).toMatch(expected)
    }
  })

  it('links to the payroll of an order', async () => {
    const payrollId = await storePayroll(gateway, { partnerId, transactions: 1 })
    const { rows } = await gateway.context.database.pool.query('select id from payments where payroll_id = $1', [
      payrollId,
    ])
    const { page } = await openTask(await raise('CannotBeWithdrawn', rows[0].id))
    expect(page.html).toContain(`href="/console/payrolls/${payrollId}"`)
  })

  it('does not link to a payment without a page, and does not exist for another id', async () => {
    const { page } = await openTask(await raise('LostBasket'))
    expect(page.html).not.toContain('href="/console/payments/')
    for (const id of [newId(), 'nonsense']) {
      expect((await openTask(id)).page.status).toBe(404)
    }
  })
})

describe('the resolution of a task', () => {
  it('is a note where one operator suffices', async () => {
    const { page, press } = await openTask(await raise('StuckInProgress'))
    expect(page.html).not.toContain('name="bankPaymentId"')
    const empty = await press('Resolve the task', { note: '' })
    expect([empty.status, textOf(empty)]).toEqual([422, expect.stringContaining('Nothing was recorded')])
    const clicks = [0, 1].map(() => press('Resolve the task', { note: 'The bank pays tomorrow' }))
    const [, answer = expect.fail()] = await Promise.all(clicks)
    expect(answer.status).toBe(200)
    expect(textOf(answer)).toMatch(/Resolved by Bjørn Moe: The bank pays tomorrow.* Bjørn Moe resolved a task/)
    expect(answer.html).not.toContain('<form class="form"')
  })

  it('takes two operators for an unknown outcome', async () => {
    const [payment = ''] = await storePayments(gateway, 1, { partnerId, outcome: 'unknown' })
    const id = await raise('UnknownOutcome', payment)
    const proposed = await (await openTask(id)).press('Propose', { resolution: 'never-taken' })
    expect(textOf(proposed)).toContain('Bjørn Moe: The bank never received the order')
    expect(textOf(proposed)).toContain('A second operator must confirm it')
    expect(proposed.html).not.toContain('<form class="form"')
    const confirmed = await (await openTask(id, 'operator-administrator')).press('Confirm the proposal')
    expect(textOf(confirmed)).toMatch(
      /Resolved by Astrid Lie.* Bjørn Moe proposed a resolution of a task .*Astrid Lie resolved a task/,
    )
    const [{ status, outcome }] = await sql('select status, outcome from payments where id = $1', [payment])
    expect([status, outcome]).toEqual(['Rejected', 'void'])
  })

  it('is not confirmed by the operator who proposed it, whatever form they send', async () => {
    const id = await raise('UnknownOutcome')
    await (await openTask(id)).press('Propose', { resolution: 'taken', bankPaymentId: 'B-1' })
    const other = await openTask(id, 'operator-administrator')
    const own = await openTask(id)
    const answer = await own.press('Sign out', {
      ...hiddenOf(other.page.html, 'Confirm the proposal'),
      ...hiddenOf(own.page.html, 'Sign out'),
    })
    expect([answer.status, textOf(answer)]).toEqual([409, expect.stringContaining('a second operator must confirm')])
    expect((await requireTask(gateway.context, id)).status).toBe('proposed')
  })

  it('contradicts a proposal when a second operator found something else', async () => {
    const id = await raise('UnknownOutcome')
    await (await openTask(id)).press('Propose', { resolution: 'taken', bankPaymentId: 'B-1' })
    const other = await openTask(id, 'operator-administrator')
    const answer = await other.press('Withdraw the proposal', { resolution: 'never-taken' })
    expect([answer.status, textOf(answer)]).toEqual([409, expect.stringContaining('the proposal has been withdrawn')])
    expect((await requireTask(gateway.context, id)).status).toBe('open')
  })

  it('changes nothing when the task has changed since the page was opened, and says how', async () => {
    const id = await raise('UnknownOutcome')
    const stale = await openTask(id, 'operator-administrator')
    await (await openTask(id)).press('Propose', { resolution: 'taken', bankPaymentId: 'B-1' })
    const second = await stale.press('Propose', { resolution: 'never-taken' })
    expect([second.status, textOf(second)]).toEqual([
      409,
      expect.stringContaining('Bjørn Moe has proposed a resolution since you opened this page: The bank has the order'),
    ])
    expect((await requireTask(gateway.context, id)).status).toBe('proposed')
    const confirming = await openTask(id, 'operator-administrator')
    await (await openTask(id, 'operator-administrator')).press('Withdraw the proposal', { resolution: 'never-taken' })
    const late = await confirming.press('Confirm the proposal')
    expect(textOf(late)).toContain('the proposal has been withdrawn since you opened this page')
    await resolveElsewhere(id)
    const last = await stale.press('Propose', { resolution: 'taken', bankPaymentId: 'B-1' })
    expect(textOf(last)).toContain(
      'Jonas has resolved the task since you opened this page. Resolution: It was intended',
    )
  })
})

it('the plans of the list use indexes', async () => {
  await sql(
    `insert into operator_tasks (partner_id, id, kind, subject_type, subject_id, advice, detail, status, created_at)
     select $1, uuidv7(), 'LostBasket', 'payment', gen_random_uuid(), '', '{}',
       case when n % 500 = 0 then 'open' else 'resolved' end, now() from generate_series(1, 5000) n`,
    [partnerId],
  )
  await sql('analyze operator_tasks')
  for (const status of [undefined, 'open', 'resolved'] as const) {
    const query = taskSearchQuery({ status, kind: undefined, partnerId: null, after: undefined }, LIST_ROWS)
    const { sql: text, parameters } = query.compile(gateway.context.database.query)
    const plan = JSON.stringify(await sql(`explain (format json) ${text}`, parameters))
    expect(plan, `${status}`).toMatch(/operator_tasks_(pkey|open)/)
    expect(plan, `${status}`).not.toMatch(/"Seq Scan"[^{}]*"operator_tasks"/)
  }
})
