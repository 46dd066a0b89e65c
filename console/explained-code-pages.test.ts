/** Tests that every page that shows a code of the API, of a bank or of a status explains it and links to more. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERROR_CATALOGUE } from '../contract/errors/error-catalogue.ts'
import bankTables from '../data/bank-codes.json' with { type: 'json' }
import { newId } from '../gateway/platform/ids.ts'
import type { FormBrowser } from '../gateway/testing/browser/form-browser.ts'
import { routesOfConsole } from '../gateway/testing/console/console-routes.ts'
import { createConsoleSubjects } from '../gateway/testing/console/console-subjects.ts'
import { signInAs } from '../gateway/testing/console/console-user.ts'
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
let ids: Readonly<Record<string, string>>
let operator: FormBrowser
beforeAll(async () => {
  gateway = await startTestGateway()
  const { database, clock } = gateway.context
  const partnerId = await demoPartnerId(gateway)
  ids = await createConsoleSubjects(gateway, partnerId)
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
  operator = await signInAs(gateway, 'operator-administrator')
})
afterAll(() => gateway.close())

/** The text of a page outside its forms and bodies, and the codes that it explains. */
async function readPage(path: string): Promise<{ readonly text: string; readonly explained: ReadonlySet<string> }> {
  const { html, status, place } = await operator.open(path)
  expect([place, status]).toEqual([path, 200])
  const [, content = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(html) ?? []
  const explained = new Set([...content.matchAll(/aria-label="More about ([^"]+)"/g)].map(([, code = '']) => code))
  const text = content.replaceAll(/<(select|pre|textarea)[\s\S]*?<\/\1>/g, '').replaceAll(/<[^>]+>/g, ' ')
  return { text, explained }
}

const withIds = (path: string) => path.replaceAll(/:(\w+)/g, (_parameter, name: string) => ids[name] ?? '')

test('no page shows a code without what it means', async () => {
  const paths = routesOfConsole(gateway)
    .filter(({ method, path, isLive }) => method === 'GET' && isLive !== true && !/\.\w+$|:documentId$/.test(path))
    .map(({ path }) => withIds(path))
  const unexplained: string[] = []
  for (const path of paths) {
    const { text, explained } = await readPage(path)
    const shown = CODES.filter((code) => new RegExp(`\\b${code}\\b`).test(text) && !explained.has(code))
    unexplained.push(...shown.map((code) => `${path}: ${code}`))
  }
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
])('%s explains the codes %j', async (path, codes) => {
  const { explained } = await readPage(withIds(path))
  expect([...explained]).toEqual(expect.arrayContaining(codes))
})
