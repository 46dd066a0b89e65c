/** Tests what every page shows: no raw values, of every column of times its clock and zone, and what codes mean. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERROR_CATALOGUE } from '../contract/errors/error-catalogue.ts'
import bankTables from '../data/bank-codes.json' with { type: 'json' }
import { newId } from '../gateway/platform/ids.ts'
import { routesOfConsole } from '../gateway/testing/console/console-routes.ts'
import { createConsoleSubjects } from '../gateway/testing/console/console-subjects.ts'
import { signInAs, textOf } from '../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { demoPartnerId } from '../gateway/testing/webhooks/enqueue-status-change.ts'
import { CONSOLE_CATALOGUE } from './texts/console-texts.ts'

/** Also words of columns, and the type of an event. */
const WORDS = ['USER', 'PARTNER', 'BANK', 'CONSENT_EXPIRED']
/** Lower-case codes are ordinary words elsewhere: the table below names the pages that show them. */
const CODES = [
  ...Object.keys(ERROR_CATALOGUE),
  ...Object.values(bankTables).flatMap(({ meanings }) => Object.keys(meanings)),
  ...Object.keys(CONSOLE_CATALOGUE.statusReasons),
].filter((code) => code !== code.toLowerCase() && !WORDS.includes(code))

let gateway: TestGateway
/** The pages of an operator as markup, by the paths of their routes. */
const pages = new Map<string, string>()
beforeAll(async () => {
  gateway = await startTestGateway()
  const partnerId = await demoPartnerId(gateway)
  const ids = await createConsoleSubjects(gateway, partnerId)
  await storeCodes(partnerId, ids)
  const operator = await signInAs(gateway, 'operator-administrator')
  for (const { method, path, isLive } of routesOfConsole(gateway)) {
    if (method === 'GET' && isLive !== true && !/\.\w+$|:documentId$/.test(path)) {
      const wanted = path.replaceAll(/:(\w+)/g, (_parameter, name: string) => ids[name] ?? '')
      const { html, status, place } = await operator.open(wanted)
      expect([place, status]).toEqual([wanted, 200])
      pages.set(path, html)
    }
  }
})
afterAll(() => gateway.close())

/** Gives the subjects codes of banks, of the API and of statuses. */
async function storeCodes(partnerId: string, ids: Readonly<Record<string, string>>): Promise<void> {
  const { database, clock } = gateway.context
  const run = (text: string, ...values: readonly unknown[]) => database.pool.query(text, [...values])
  await run(`update payments set status = 'Rejected', status_reason_text = 'AC04' where id = $1`, ids['paymentId'])
  await run(`update consents set status = 'REVOKED', status_reason = 'REPLACED_BY_NEW_CONSENT'`)
  await run(`update onboardings set status_reason = 'MissingDocuments'`)
  await run(`update fx_deals set reason = 'funding-short', cancel_reason = 'operator'`)
  await run(
    `insert into fx_deal_history (partner_id, id, deal_id, at, event, detail)
     values ($1, $2, $3, $4, 'cancelled', '{"reason": "given-up"}')`,
    ...[partnerId, newId(), ids['dealId'], clock.now().toString()],
  )
  await run(`update cancellations set status = 'REJECTED', reason = 'CONSENT_EXPIRED'`)
  await run(`update payrolls set state = 'failed', state_text = 'FORMAT_ERROR'`)
  await run(
    `update operator_tasks set detail = '{"errorKind": "order-rejected", "bankStatus": "RJCT", "text": "AM04"}' where id = $1`,
    ids['taskId'],
  )
  for (const [type, id] of [
    ['onboarding', ids['onboardingId']],
    ['consent', ids['consentId']],
  ]) {
    await run(
      `insert into audit_log (partner_id, id, at, actor, action, subject_type, subject_id, detail)
       values ($1, $2, $3, 'operator Test', 'payment cancelled', $4, $5, '{"reason": "RiskEvaluation", "text": "AG01"}')`,
      ...[partnerId, newId(), clock.now().toString(), type, id],
    )
  }
}

/** The labels of the columns that have a time in one of their cells. */
function timeColumnsOf(page: string): readonly string[] {
  return [...page.matchAll(/<table[\s\S]*?<\/table>/g)].flatMap(([table]) => {
    const labels = [...table.matchAll(/<th\b[^>]*>([\s\S]*?)<\/th>/g)].map(([, label = '']) =>
      label.replaceAll(/<[^>]+>/g, ''),
    )
    const rows = [...table.matchAll(/<tr>(<td[\s\S]*?)<\/tr>/g)].map(([, row = '']) => row.split('<td').slice(1))
    return labels.filter((_label, n) => rows.some((cells) => cells[n]?.includes('<time')))
  })
}

test('no page shows a value as programs write it', () => {
  expect(pages.size).toBeGreaterThan(40)
  const raw = [...pages].flatMap(([path, html]) => {
    // Bodies of requests are shown as they were sent.
    const text = textOf({ html: html.replaceAll(/<pre\b[\s\S]*?<\/pre>/g, '') })
    return [...text.matchAll(/.{0,30}(?:\b(?:null|true|false|undefined|NaN)\b|\[object).{0,10}/g)].map(
      ([found]) => `${path}: ${found}`,
    )
  })
  expect(raw).toEqual([])
})

test('a column of times names the clock and the zone', async () => {
  const clocks = new Map<string, readonly (string | undefined)[]>()
  for (const [path, page] of pages) {
    clocks.set(
      path,
      timeColumnsOf(page).map((label) => / (business|wall|business or wall) time, CET\/CEST$/.exec(label)?.[1]),
    )
  }
  expect([...clocks].filter(([, ofPage]) => ofPage.includes(undefined))).toEqual([])
  expect(Object.fromEntries(clocks)).toMatchObject({
    '/console/payments': ['business'],
    '/console/consents': ['business', 'business'],
    '/console/webhooks/:subscriptionId': ['business', 'business'],
    '/console/requests': ['wall'],
    '/console/audit': ['wall'],
    '/console/tasks': ['wall'],
    '/console/sessions': ['wall', 'wall'],
    '/console/partners': ['wall'],
  })
})

/** The text of a page outside its forms and bodies, and the codes that it explains. */
function readPage(path: string): { readonly text: string; readonly explained: ReadonlySet<string> } {
  const [, content = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(pages.get(path) ?? '') ?? []
  const explained = new Set([...content.matchAll(/aria-label="More about ([^"]+)"/g)].map(([, code = '']) => code))
  const text = content.replaceAll(/<(select|pre|textarea)[\s\S]*?<\/\1>/g, '').replaceAll(/<[^>]+>/g, ' ')
  return { text, explained }
}

test('no page shows a code without what it means', () => {
  const unexplained = [...pages.keys()].flatMap((path) => {
    const { text, explained } = readPage(path)
    return CODES.filter((code) => new RegExp(`\\b${code}\\b`).test(text) && !explained.has(code)).map(
      (code) => `${path}: ${code}`,
    )
  })
  expect(unexplained).toEqual([])
})

test.each([
  ['/console/payments/:paymentId', ['AC04']],
  ['/console/payrolls/:payrollId', ['FORMAT_ERROR']],
  ['/console/payrolls', ['FORMAT_ERROR']],
  ['/console/consents/:consentId', ['REPLACED_BY_NEW_CONSENT', 'AG01']],
  ['/console/consents', ['REPLACED_BY_NEW_CONSENT']],
  ['/console/onboardings/:onboardingId', ['MissingDocuments', 'AG01']],
  ['/console/onboardings', ['MissingDocuments']],
  ['/console/exchanges/:dealId', ['funding-short', 'given-up']],
  ['/console/exchanges', ['funding-short']],
  ['/console/deals/:dealId', ['funding-short', 'operator', 'given-up']],
  ['/console/deals', ['unknown']],
  ['/console/deals/funds/:receiptId', ['unknown']],
  ['/console/cancellations/:cancellationId', ['CONSENT_EXPIRED']],
  ['/console/cancellations', ['CONSENT_EXPIRED']],
  ['/console/tasks/:taskId', ['order-rejected', 'RJCT', 'AM04']],
  ['/console/audit', ['RiskEvaluation', 'AG01']],
  ['/console/requests/:requestId', ['InvalidAmount']],
  ['/console/requests', ['InvalidAmount']],
  ['/console/figures', ['InvalidAmount']],
  ['/console/banks/:bic', ['ACTC']],
])('%s explains the codes %j', (path, codes) => {
  const { explained } = readPage(path)
  expect([...explained]).toEqual(expect.arrayContaining(codes))
})
