/** Tests the page of a payroll: who sees it and what of it, its progress, what stops it, and its transactions. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { formatAccountNumber } from '../../gateway/countries/account-number.ts'
import { readPayrollVersions } from '../../gateway/orders/views/order-versions.ts'
import { transactionListQuery } from '../../gateway/orders/views/payroll-details.ts'
import { nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { nextPathOf, signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { openLiveStream } from '../../gateway/testing/console/live-stream.ts'
import { storePayroll } from '../../gateway/testing/console/stored-payrolls.ts'
import { nodesReading } from '../../gateway/testing/database/query-plan.ts'
import { CALLBACK } from '../../gateway/testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS } from '../../gateway/testing/payrolls/payroll-fixture.ts'
import {
  openPayrollSubmissionFixture,
  type PayrollSubmissionFixture,
} from '../../gateway/testing/payrolls/payroll-submission-fixture.ts'
import { demoPartnerId } from '../../gateway/testing/webhooks/enqueue-status-change.ts'

const THREE = ['1001.01', '1002.02', '1003.03']
/** The bank rejects the receiver's account, for any receiver. */
const REJECTED_AMOUNT = '7732.00'
const NO_BREAK_SPACE = '\u00a0'

let stage: PayrollSubmissionFixture
let partnerId: string
beforeAll(async () => {
  stage = await openPayrollSubmissionFixture()
  partnerId = await demoPartnerId(stage.gateway)
})
beforeEach(() => stage.reset())
afterAll(() => stage.gateway.close())

async function open(path: string, role: Parameters<typeof signInAs>[1] = 'partner-payroll') {
  return await (await signInAs(stage.gateway, role)).open(`/console/payrolls/${path}`)
}

/** The endToEndIds of a page, in its order. */
const listed = ({ html }: { html: string }) =>
  [...html.matchAll(/data-column="endToEndId">(.*?)</g)].map(([, id]) => id)

describe('a payroll', () => {
  it('is for users who may read payrolls, and for no one else: page, transactions and stream', async () => {
    const id = await storePayroll(stage.gateway, { partnerId })
    for (const path of [id, `${id}/transactions.csv`, `${id}/live`]) {
      for (const role of ['partner-finance', 'partner-developer'] as const) {
        expect((await open(path, role)).status, `${role} ${path}`).toBe(403)
      }
    }
    for (const role of ['partner-payroll', 'operator-reader'] as const) {
      expect((await open(id, role)).status).toBe(200)
    }
  })

  it('shows its total and account to the partner, and neither to operators; receivers and amounts to no one', async () => {
    const payroll = await stage.create('chain', THREE)
    const { main, supplier, supplierName } = nordicBank(payroll.bic)
    const [printedMain, printedSupplier] = [main, supplier].map((account) => formatAccountNumber('NO', account))
    const [ofPartner, ofOperator] = [await open(payroll.id), await open(payroll.id, 'operator')]
    expect(ofPartner.html).toContain(`3${NO_BREAK_SPACE}006,06${NO_BREAK_SPACE}NOK`)
    expect(ofPartner.html).toContain(printedMain)
    for (const secret of [main, printedMain, '3\u00a0006,06', 'Nordlys Handel AS']) {
      expect(ofOperator.html).not.toContain(secret)
    }
    for (const page of [ofPartner, ofOperator]) {
      for (const secret of [supplier, printedSupplier, supplierName, '1001.01', '1001,01', '1\u00a0001,01']) {
        expect(page.html).not.toContain(secret)
      }
    }
  })

  it('shows how it is submitted, how much of it the bank has, and how many transactions have which status', async () => {
    const id = await storePayroll(stage.gateway, { partnerId, transactions: 1_200, submitted: 3 })
    const page = await open(id)
    expect(page.html).toContain('<progress id="payroll-progress" max="1200" value="3"></progress>')
    const text = textOf(page).replaceAll(NO_BREAK_SPACE, ' ')
    expect(text).toContain('The bank has 3 of 1 200 transactions')
    expect(text).toContain('Single payments, signed one after the other')
    expect(page.html).toContain(`href="/console/payrolls/${id}?status=Unsigned#transactions"`)
    const submitted = await storePayroll(stage.gateway, { partnerId, submissionMode: 'baskets' })
    expect((await open(submitted)).html).not.toContain('<progress')
    expect(textOf(await open(submitted))).toContain('Single payments, signed together')
  })

  it('lives: its page has what has been submitted since', async () => {
    const payroll = await stage.create('chain', THREE)
    expect((await open(payroll.id)).html).toContain('value="0"')
    const browser = await signInAs(stage.gateway, 'partner-payroll')
    const stream = await openLiveStream(`${stage.gateway.url}/console/payrolls/${payroll.id}/live`, browser.cookies())
    await stage.submit(payroll)
    expect(await stream.next()).toContain('Completely submitted')
    stream.close()
  })

  it('has another version whenever its page changes', async () => {
    const { database } = stage.gateway.context
    const id = await storePayroll(stage.gateway, { partnerId, submitted: 1 })
    const other = await storePayroll(stage.gateway, { partnerId })
    const read = (subjects: readonly string[]) => readPayrollVersions(database, subjects)
    const versions = [await read([`${partnerId} ${id}`])]
    for (const change of [
      `update payments set payroll_id = '${id}' where payroll_id = '${other}'`,
      `update payrolls set state_text = 'The bank is away' where id = '${id}'`,
      `update payrolls set state = 'submitted' where id = '${id}'`,
      `insert into approvals (partner_id, id, consent_id, status, created_at, updated_at)
       values ('${partnerId}', '${other}', '${other}', 'STARTED', now(), now())`,
      `insert into approval_payments (partner_id, approval_id, payment_id, position, bank_payment_id, order_digest, result)
       select partner_id, '${other}', id, 0, '', '', 'STARTED' from payments where payroll_id = '${id}'`,
      `insert into payroll_cancellations (partner_id, id, payroll_id, consent_id, created_at)
       values ('${partnerId}', '${other}', '${id}', '${other}', now())`,
      `update payrolls set status = 'InProgress', changed_at = now() where id = '${id}'`,
    ]) {
      await stage.sql(change)
      versions.push(await read([`${partnerId} ${id}`]))
    }
    // An approval of nothing is none of this payroll's.
    expect(new Set(versions.map((map) => [...map.values()].join())).size).toBe(versions.length - 1)
  })
})

describe('what stops a payroll', () => {
  it.each([
    [
      'a bank that limits how often it is called',
      () => stage.injectFault('chain', { effect: 'status', status: 429 }),
      /limits how often it is called.* Nothing needs to be done: Havn tries again.* Next attempt: \d/,
    ],
    [
      'an ended consent',
      () => stage.sql("update consents set status = 'REVOKED' where bic = 'HAVBNO22'"),
      /no longer in force Its user must renew the consent/,
    ],
    [
      'an unknown outcome',
      () => stage.injectFault('chain', { effect: 'drop-connection', times: 1 }),
      /Outcome unknown: 1 transaction Do not order them again/,
    ],
  ])('is shown with what to do: %s', async (_name, stop, expected) => {
    const payroll = await stage.create('chain', THREE)
    await stop()
    await stage.submit(payroll)
    const text = textOf(await open(payroll.id)).replaceAll(NO_BREAK_SPACE, ' ')
    await stage.sql("update consents set status = 'ACCEPTED' where bic = 'HAVBNO22'")
    expect(text).toMatch(expected)
  })

  it('is a payroll with an equal transaction whose outcome is unknown: it is linked', async () => {
    const [id, other] = [
      await storePayroll(stage.gateway, { partnerId, submitted: 1 }),
      await storePayroll(stage.gateway, { partnerId }),
    ]
    await stage.sql('update payrolls set blocked_by_payroll_id = $2 where id = $1', [id, other])
    expect((await open(id)).html).toContain(`<a href="/console/payrolls/${other}">Open the other payroll</a>`)
  })

  it('is a rejected transaction: the page says what fails, with the text of the bank in our words', async () => {
    const payroll = await stage.create('chain', ['1001.01', '1002.02', '1003.03', '1004.04', REJECTED_AMOUNT])
    await stage.submit(payroll)
    const failing = await open(payroll.id)
    expect(textOf(failing)).toContain('The bank does not accept the receiver&#39;s account Havn is cancelling')
    const rejected = await open(`${payroll.id}?status=Rejected`)
    expect(listed(rejected)).toHaveLength(1)
    expect(textOf(rejected)).toMatch(/Rejected The bank does not accept the receiver&#39;s account/)
    await stage.gateway.sweep()
    expect(textOf(await open(payroll.id))).toContain('Then order the payroll again.')
  })
})

describe('the story of a payroll', () => {
  it('has its order, approvals with who signed, and its statuses; tasks are for operators', async () => {
    const { gateway } = stage
    const payrolls = openPayrollFixture(gateway)
    await payrolls.payer.nextMorning()
    const bank = nordicBank(PAYROLL_BANKS.bulk)
    const { payrollId } = await payrolls.order(bank, payrolls.payroll(bank, 3))
    expect(await payrolls.sign(bank, [payrollId])).toBe('success')
    const [user] = bank.users
    const text = textOf(await open(payrollId))
    const story = text.slice(text.indexOf('What happened'))
    expect(story).toMatch(
      /ordered the payroll .*Status Unsigned .*started to approve it User •+\d\d .*The approval ended: ACCEPTED User •/,
    )
    // Who signed from where, but not what the user was shown: salaries.
    expect(story).toMatch(
      /approve it .* signed .*SCA status finalised .*From 127\.0\.0\.1 · \S+.* approval ended: ACCEPTED/,
    )
    expect(story).not.toContain('Shown')
    expect(story).toMatch(/Status InProgress Status code of the bank: ACTC/)
    expect(text).not.toContain(user)
    const id = await storePayroll(gateway, { partnerId })
    await stage.sql(
      `insert into operator_tasks (partner_id, id, kind, subject_type, subject_id, advice, detail, status, created_at)
       select partner_id, gen_random_uuid(), 'CannotBeWithdrawn', 'payment', id, 'Ask the customer', '{}', 'open', now()
       from payments where payroll_id = $1 limit 1`,
      [id],
    )
    expect(textOf(await open(id, 'operator'))).toContain(
      'Operator task “Order that cannot be cancelled at the bank”: open Ask the customer',
    )
    expect(textOf(await open(id))).not.toContain('Operator task')
  })

  it('has its cancellation', async () => {
    const payroll = await stage.create('chain', THREE)
    await stage.submit(payroll)
    const { psu, consent } = await stage.callerAt('chain')
    const body = { payrollId: payroll.id, callbackUrl: CALLBACK }
    await stage.gateway.client.cancelPayroll({ psu: psu ?? undefined, consentId: consent.id, body })
    expect(textOf(await open(payroll.id))).toContain('Cancellation: ACCEPTED')
  })
})

describe('the transactions of a payroll', () => {
  it('are listed page by page in the order of the request, and found by status and endToEndId', async () => {
    const id = await storePayroll(stage.gateway, { partnerId, transactions: 120, submitted: 100 })
    await stage.sql(
      `update payments set status = 'Completed', bank_status = 'ACSC' where payroll_id = $1 and end_to_end_id < 'SAL-2'`,
      [id],
    )
    const browser = await signInAs(stage.gateway, 'partner-payroll')
    const seen: (string | undefined)[] = []
    for (let path: string | undefined = `/console/payrolls/${id}`; path !== undefined; ) {
      const page = await browser.open(path)
      seen.push(...listed(page))
      path = nextPathOf(page)
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => `SAL-${n + 1}`))
    expect(listed(await open(`${id}?status=Completed`))).toEqual(
      seen.slice(0, 100).filter((text = '') => text < 'SAL-2'),
    )
    expect(listed(await open(`${id}?q=SAL-7`))).toEqual(['SAL-7'])
    expect(textOf(await open(`${id}?q=SAL-101`))).toContain('101 SAL-101 Unsigned not submitted')
    expect(textOf(await open(`${id}?q=SAL-7&status=Completed`))).toContain('No transaction matches')
    const wrong = await open(`${id}?status=Paid`)
    expect([wrong.status, wrong.html.includes('id="filter-status-error"')]).toEqual([422, true])
    expect((await open(`${id}?after=x`)).status).toBe(422)
  })

  it('are downloaded as CSV with the filter', async () => {
    const id = await storePayroll(stage.gateway, { partnerId, transactions: 12, submitted: 11 })
    const { html: csv, headers } = await open(`${id}/transactions.csv?q=SAL-12`)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="payroll-${id}.csv"`)
    expect(csv.split('\r\n')).toEqual([
      'number,endToEndId,status,statusReason,statusReasonText,bankStatus,timestamp',
      '12,SAL-12,Unsigned,,,,',
      '',
    ])
    expect((await open(`${id}/transactions.csv`)).html.trimEnd().split('\r\n')).toHaveLength(13)
  })

  it('are read by an index, whatever the filter', async () => {
    const id = await storePayroll(stage.gateway, { partnerId, transactions: 2_000 })
    await stage.sql('analyze payroll_transactions')
    const none = { status: undefined, endToEndId: undefined, after: undefined } as const
    for (const [changes, rowsMax] of [
      [{}, 51],
      [{ after: 1_000 }, 51],
      [{ endToEndId: 'SAL-7' }, 20],
      [{ status: 'Completed' }, 2_000],
    ] as const) {
      const query = transactionListQuery({ partnerId, payrollId: id }, { ...none, ...changes }, 51)
      const { sql: text, parameters } = query.compile(stage.gateway.context.database.query)
      const [plan] = await stage.sql<{ 'QUERY PLAN': [{ Plan: Parameters<typeof nodesReading>[1] }] }>(
        `explain (analyze, format json) ${text}`,
        [...parameters],
      )
      const nodes = plan === undefined ? [] : nodesReading('payroll_transactions', plan['QUERY PLAN'][0].Plan)
      const read = nodes.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan')
      expect(read, JSON.stringify(changes)).toBeLessThanOrEqual(rowsMax)
    }
  })
})

describe('cancelling a payroll', () => {
  it('is the API’s, for a user of the company, and recorded with who did it', async () => {
    const payroll = await stage.create('chain', THREE)
    await stage.submit(payroll)
    const path = `/console/payrolls/${payroll.id}`
    const browser = await signInAs(stage.gateway, 'partner-payroll')
    const late = await signInAs(stage.gateway, 'operator')
    const { html } = await browser.open(path)
    await late.open(path)
    const [, consent = ''] = /<option value="([\w-]{36})">•+\d\d</.exec(html) ?? []
    const noUser = await browser.send(`${path}/cancel`, { consent: payroll.id })
    expect([noUser.status, textOf(noUser)]).toEqual([422, expect.stringContaining('choose the user who cancels')])
    await browser.open(path)
    // The user clicks twice, and sees the answer to the second click.
    const clicks = [0, 1].map(() => browser.send(`${path}/cancel`, { consent }))
    const [, cancelled = expect.fail()] = await Promise.all(clicks)
    expect([cancelled.status, textOf(cancelled)]).toEqual([200, expect.stringContaining('The payroll is cancelled.')])
    expect(textOf(cancelled)).toContain('Cancellation: ACCEPTED')
    expect(textOf(cancelled)).toContain('The payroll is already Cancelled')
    const audit = await stage.sql('select actor, action from audit_log where subject_id = $1', [payroll.id])
    expect(audit).toContainEqual({
      actor: 'user Fredrik Hagen (sandbox partner-payroll)',
      action: 'payroll cancellation asked',
    })
    const changed = await late.send(`${path}/cancel`, { consent })
    expect([changed.status, textOf(changed)]).toEqual([409, expect.stringContaining('Cancelled submitted')])
  })

  it('has a link where the bank requires a signature', async () => {
    const payrolls = openPayrollFixture(stage.gateway)
    await payrolls.payer.nextMorning()
    const bank = nordicBank(PAYROLL_BANKS.bulk)
    const { payrollId } = await payrolls.order(bank, payrolls.payroll(bank, 2))
    await payrolls.sign(bank, [payrollId])
    const browser = await signInAs(stage.gateway, 'operator')
    const path = `/console/payrolls/${payrollId}`
    const { html } = await browser.open(path)
    const [, consent = ''] = /<option value="([\w-]{36})">•+\d\d</.exec(html) ?? []
    const asked = await browser.send(`${path}/cancel`, { consent })
    expect(textOf(asked)).toContain('The bank requires a signature')
    expect(textOf(asked)).toMatch(/A cancellation of this payroll is in progress.*\/signing\//)
    const reader = await signInAs(stage.gateway, 'operator-reader')
    expect((await reader.open(path)).html).not.toMatch(/\/signing\/|Cancel the payroll/)
  })
})
