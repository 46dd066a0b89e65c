/** Tests the partners of the console: settings, credentials, agreements, and companies with their history. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeClientPermission } from '../../gateway/auth/client-permissions.ts'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { requirePartner } from '../../gateway/auth/list-partners.ts'
import { changePartnerPermission } from '../../gateway/auth/partner-permissions.ts'
import { revokePartnerAccess } from '../../gateway/auth/revoke-partner-access.ts'
import { addCompany } from '../../gateway/companies/add-company.ts'
import { changeCompany, setSubscription } from '../../gateway/companies/change-company.ts'
import { companySearchQuery } from '../../gateway/companies/company-store.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { FILE_BANK, type FileBankFixture, openFileBank } from '../../gateway/testing/banks/file-bank.ts'
import { signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { LIST_ROWS } from '../markup/next-page.ts'

const NUMBER = { countryCode: 'NO', organisationNumber: '988077917' }

let gateway: TestGateway
let fileBank: FileBankFixture
let path: string
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  fileBank = await openFileBank(gateway)
  const { partner, credentials } = await createPartner(gateway.context, 'test', { name: 'Nordlønn' })
  partnerId = partner.id
  path = `/console/partners/${partnerId}`
  await changePartnerPermission(gateway.context, 'test', partner, ['payrollBulk', true])
  await changeClientPermission(gateway.context, 'test', credentials.clientId, ['payroll', true])
})
afterAll(async () => {
  await fileBank.close()
  await gateway.close()
})

const open = async (place: string) => await (await signInAs(gateway, 'operator-reader')).open(place)
const sql = async (text: string, values: readonly unknown[] = []) =>
  (await gateway.context.database.pool.query(text, [...values])).rows

it('partners are listed with their state, active credentials and permissions', async () => {
  expect(textOf(await open('/console/partners'))).toMatch(/Nordlønn enabled 1 payroll-bulk \d/)
  const { partner } = await createPartner(gateway.context, 'test', { name: 'Former partner' })
  await revokePartnerAccess(gateway.context, 'test', await requirePartner(gateway.context, partner.id))
  expect(textOf(await open('/console/partners'))).toMatch(/Former partner disabled/)
})

it('a partner shows its credentials without secrets, and what it lacks', async () => {
  const text = textOf(await open(path))
  expect(text).toMatch(/Credentials client_id State Payrolls Created \S+ enabled permitted/)
  expect(text).toContain('no agreement about payment files')
  expect(text).toContain('The partner has no company.')
  expect((await open(`/console/partners/${newId()}`)).status).toBe(404)
})

it('agreements have their accounts, and lead to the company', async () => {
  const page = await open(`/console/partners/${fileBank.partnerId}`)
  expect(textOf(page)).toMatch(
    new RegExp(
      `CUSTOMER-7 ACCEPTED ${FILE_BANK.bic} NO ${FILE_BANK.organisationNumber} ${FILE_BANK.debtor} \\d.*${fileBank.consentId}`,
    ),
  )
  expect(page.html).toContain(
    `href="/console/partners/${fileBank.partnerId}/companies/NO-${FILE_BANK.organisationNumber}"`,
  )
})

it('a company shows what it may do, and its history', async () => {
  await addCompany(gateway.context, 'operator Ingrid', { partnerId, ...NUMBER, name: 'Nordlys AS' })
  await changeCompany(gateway.context, 'operator Ingrid', { partnerId, ...NUMBER }, setSubscription(false))
  expect(textOf(await open(path))).toMatch(/NO 988077917 Nordlys AS onboarded inactive not allowed/)
  const company = textOf(await open(`${path}/companies/NO-988077917`))
  expect(company).toMatch(/Nordlys AS .*Subscription inactive .*History .*operator Ingrid: company added/)
  for (const unknown of ['NO-987654325', 'SE-988077917', 'nonsense']) {
    expect((await open(`${path}/companies/${unknown}`)).status).toBe(404)
  }
})

it('a company is switched by operators, and a form that comes too late says so', async () => {
  const place = `${path}/companies/NO-988077917`
  expect((await open(place)).html).not.toContain('/subscription"')
  const browser = await signInAs(gateway, 'operator')
  await browser.open(place)
  const active = await browser.send(`${place}/subscription`, { to: 'on' })
  expect(textOf(active)).toMatch(/Subscription active .*End the subscription .*Bjørn Moe: subscription activated/)
  const late = await browser.send(`${place}/subscription`, { to: 'on' })
  expect([late.status, textOf(late)]).toEqual([409, expect.stringContaining('it is as you want it already')])
  await browser.open(place)
  expect(textOf(await browser.send(`${place}/international`, { to: 'on' }))).toContain('Cross-border payments allowed')
  await sql("update companies set services = '{AIS}' where organisation_number = $1", ['988077917'])
  await browser.open(place)
  const forbidden = await browser.send(`${place}/international`, { to: 'on' })
  expect([forbidden.status, textOf(forbidden)]).toEqual([409, expect.stringContaining('account information only')])
})

it('companies are paged, and found by their number', async () => {
  await sql(
    `insert into companies (partner_id, id, country_code, organisation_number, name, onboarded, active_subscription, services, created_at)
     select $1, uuidv7(), 'NO', n::text, 'Company ' || n, true, true, '{AIS,PIS}', now() from generate_series(1, 5000) n`,
    [partnerId],
  )
  const first = await open(path)
  expect(first.html.match(/<td class="" data-column="Name">Company/g)).toHaveLength(LIST_ROWS)
  expect(first.html).toContain('rel="next"')
  expect(textOf(await open(`${path}?number=42`))).toContain('NO 42 Company 42')
  expect(textOf(await open(`${path}?number=nothing`))).toContain('no company with this number')
  const wrong = await open(`${path}?after=nonsense`)
  expect([wrong.status, textOf(wrong)]).toEqual([422, expect.stringContaining('Correct the filters')])
})

it('the plan of the companies reads a page by the primary key', async () => {
  await sql('analyze companies')
  const search = { partnerId, organisationNumber: undefined, beforeId: undefined }
  const query = companySearchQuery(gateway.context.database, search, LIST_ROWS).compile()
  const plan = JSON.stringify(await sql(`explain (format json) ${query.sql}`, query.parameters))
  expect(plan).toContain('companies_pkey')
  expect(plan).not.toMatch(/Seq Scan|"Sort"/)
})
