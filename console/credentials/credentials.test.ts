/** Tests the pages of credentials: creating, rotating, revoking and disabling them, and that a secret is shown once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopesByEnvironment } from '../../contract/environments.ts'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { clientListQuery } from '../../gateway/partners/client-store.ts'
import { signInAs, textOf, titleOf } from '../../gateway/testing/console/console-user.ts'
import { nodesReading } from '../../gateway/testing/database/query-plan.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await gateway.context.database.pool.query(text, [...values])).rows
const partnerNamed = async (name: string) => (await createPartner(gateway.context, 'test', { name })).partner

/** The credentials that a page shows. */
const shownIn = ({ html }: { readonly html: string }) => {
  const [, client_id = ''] = /client_id<\/dt><dd>.*?<code>([^<]+)</.exec(html) ?? []
  const [, client_secret = ''] = /client_secret<\/dt><dd>.*?<code>([^<]+)</.exec(html) ?? []
  return { client_id, client_secret }
}

async function statusOfToken(credentials: ReturnType<typeof shownIn>): Promise<number> {
  const form = { grant_type: 'client_credentials', scope: scopesByEnvironment.sandbox, ...credentials }
  return (await gateway.fetch('/v2/connect/token', { method: 'POST', body: new URLSearchParams(form) })).status
}

test('a developer creates credentials, rotates them with an overlap, revokes the former secret and disables them', async () => {
  const browser = await signInAs(gateway, 'partner-developer')
  await browser.open('/console/credentials')
  const created = await browser.send('/console/credentials')
  const first = shownIn(created)
  expect(created.headers.get('cache-control')).toBe('no-store')
  expect(await statusOfToken(first)).toBe(200)
  const path = `/console/credentials/${first.client_id}`
  expect(created.html).toContain(`action="${path}/rotate"`)
  expect((await browser.open(path)).html).not.toContain(first.client_secret)

  // The user clicks twice, and sees the answer to the second click.
  const clicks = [0, 1].map(() => browser.send(`${path}/rotate`, { overlapDays: '7' }))
  const rotated = (await Promise.all(clicks))[1] ?? expect.fail('Nothing was answered')
  const second = { ...shownIn(rotated), client_id: first.client_id }
  expect([await statusOfToken(first), await statusOfToken(second)]).toEqual([200, 200])
  expect(textOf(rotated)).toMatch(/The former secret stays valid until \d\d\.\d\d\.\d{4}/)
  expect(rotated.html).not.toContain(`action="${path}/rotate"`)
  const again = await browser.send(`${path}/rotate`, { overlapDays: '30' })
  expect([again.status, textOf(again)]).toEqual([409, expect.stringContaining('revoke it before another rotation')])

  await browser.open(path)
  await browser.send(`${path}/revoke-former`)
  expect([await statusOfToken(first), await statusOfToken(second)]).toEqual([401, 200])
  const disabled = await browser.send(`${path}/disable`)
  expect(await statusOfToken(second)).toBe(401)
  expect(disabled.html).not.toContain('<button>')
  const entries = await sql('select actor, action from audit_log where subject_id = $1 order by at', [first.client_id])
  expect(entries.map(({ actor, action }) => `${actor}: ${action}`)).toEqual([
    'user Daniel Vik (sandbox partner-developer): client created',
    'user Daniel Vik (sandbox partner-developer): client secret rotated',
    'user Daniel Vik (sandbox partner-developer): former client secret revoked',
    'user Daniel Vik (sandbox partner-developer): client disabled',
  ])
})

test('an overlap that is not offered, or that the form lacks, rotates nothing', async () => {
  const browser = await signInAs(gateway, 'operator')
  for (const overlapDays of ['', '3', '7.0', '-1']) {
    await browser.open('/console/credentials/demo-partner')
    const page = await browser.send('/console/credentials/demo-partner/rotate', { overlapDays })
    expect([page.status, titleOf(page)], overlapDays).toEqual([400, 'Nothing was changed'])
  }
  expect(await sql(`select secret_number from clients where client_id = 'demo-partner'`)).toEqual([
    { secret_number: 1 },
  ])
})

test('an operator chooses whose credentials are listed and created; a reader creates none', async () => {
  const partner = await partnerNamed('Listed alone')
  const operator = await signInAs(gateway, 'operator')
  const list = textOf(await operator.open(`/console/credentials?partner=${partner.id}`))
  expect(list).not.toContain('demo-partner')
  const created = await operator.send('/console/credentials', { partner: partner.id })
  expect(textOf(created)).toContain('Partner Listed alone')
  for (const wrong of ['', 'nobody', '0197a000-0000-7000-8000-000000000000']) {
    await operator.open('/console/credentials')
    const page = await operator.send('/console/credentials', { partner: wrong })
    expect(page.status, wrong).toBe(422)
    expect(page.html, wrong).toMatch(/aria-invalid="true"[\s\S]*id="credentials-partner-error">Choose a partner/)
  }
  const reader = await (await signInAs(gateway, 'operator-reader')).open('/console/credentials/demo-partner')
  expect([reader.status, reader.html.includes('/rotate"')]).toEqual([200, false])
})

test('the list reads a page, whatever is stored', async () => {
  const { id } = await partnerNamed('Has thousands')
  await sql(
    `insert into clients (client_id, partner_id, secret_hash, created_at)
     select 'many-' || n, $1, 'hash', '2026-11-01T00:00:00Z' from generate_series(1, 5000) n`,
    [id],
  )
  await sql('analyze clients')
  const { query } = gateway.context.database
  for (const partnerId of [null, id]) {
    const { sql: text, parameters } = clientListQuery(partnerId, undefined, 51).compile(query)
    const [plan] = await sql(`explain (analyze, format json) ${text}`, parameters)
    const scans = nodesReading('clients', plan['QUERY PLAN'][0].Plan)
    expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan')
    expect(scans.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)).toBeLessThanOrEqual(60)
  }
})
