/** Tests the partners of the console: settings, credentials, agreements, and companies with their history. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeClientPermission, changePartnerPermission } from '../../gateway/auth/client-permissions.ts'
import { createClient, createPartner } from '../../gateway/auth/create-partner.ts'
import { requirePartner } from '../../gateway/auth/list-partners.ts'
import { revokePartnerAccess } from '../../gateway/auth/revoke-partner-access.ts'
import { addCompany } from '../../gateway/companies/add-company.ts'
import { changeCompany, setSubscription } from '../../gateway/companies/change-company.ts'
import { companySearchQuery } from '../../gateway/companies/company-store.ts'
import { listAgreements } from '../../gateway/consents/agreements/agreement.ts'
import { formatAccountNumber } from '../../gateway/countries/account-number.ts'
import type { Partner } from '../../gateway/partners/partner.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { FILE_BANK, type FileBankFixture, openFileBank } from '../../gateway/testing/banks/file-bank.ts'
import type { FormBrowser } from '../../gateway/testing/browser/form-browser.ts'
import { signInAs, textOf, titleOf } from '../../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { LIST_ROWS } from '../lists/next-page.ts'

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
  expect(text).toMatch(/Credentials client_id State Payrolls Created wall time, CET\/CEST \S+ enabled permitted/)
  expect(text).toContain('no agreement about payment files')
  expect(text).toContain('The partner has no company.')
  expect((await open(`/console/partners/${newId()}`)).status).toBe(404)
})

it('agreements have their accounts, and lead to the company', async () => {
  const page = await open(`/console/partners/${fileBank.partnerId}`)
  expect(textOf(page)).toMatch(
    new RegExp(
      `CUSTOMER-7 ACCEPTED ${FILE_BANK.bic} NO ${FILE_BANK.organisationNumber} ${formatAccountNumber('NO', FILE_BANK.debtor)} \\d.*${fileBank.consentId}`,
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
  expect(company).toMatch(/Nordlys AS .*Subscription inactive .*History .*Ingrid added the company/)
  for (const unknown of ['NO-987654325', 'SE-988077917', 'nonsense']) {
    expect((await open(`${path}/companies/${unknown}`)).status).toBe(404)
  }
})

it('a company is switched by administrators, and a form that comes too late says so', async () => {
  const place = `${path}/companies/NO-988077917`
  expect((await open(place)).html).not.toContain('/subscription"')
  const browser = await signInAs(gateway, 'operator-administrator')
  await browser.open(place)
  const active = await browser.send(`${place}/subscription`, { to: 'on' })
  expect(textOf(active)).toMatch(
    /Subscription active .*End the subscription .*Astrid Lie activated the subscription of the company/,
  )
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
  const search = { partnerId, organisationNumbers: undefined, beforeId: undefined }
  const query = companySearchQuery(gateway.context.database, search, LIST_ROWS).compile()
  const plan = JSON.stringify(await sql(`explain (format json) ${query.sql}`, query.parameters))
  expect(plan).toContain('companies_pkey')
  expect(plan).not.toMatch(/Seq Scan|"Sort"/)
})

describe('administrators', () => {
  let administrator: FormBrowser
  let own: Partner
  let page: string
  beforeAll(async () => {
    administrator = await signInAs(gateway, 'operator-administrator')
    own = (await createPartner(gateway.context, 'test', { name: 'Nordkontor' })).partner
    page = `/console/partners/${own.id}`
  })
  /** Opens a page and sends one of its forms. */
  const send = async (place: string, fields: Record<string, string> = {}, from = page) => {
    await administrator.open(from)
    return await administrator.send(place, fields)
  }
  const auditOf = async (id: string) =>
    (
      await sql('select action from audit_log where subject_id = $1 and actor = $2 order by id', [
        id,
        'operator Astrid Lie (sandbox operator-administrator)',
      ])
    ).map(({ action }) => action)

  it('create a partner, whose secret is shown once', async () => {
    const create = '/console/partners/create'
    const entered = { name: 'Lønnspartner', callbackOrigins: 'https://erp.example\nmyerp:' }
    const wrong = await send(create, { ...entered, callbackOrigins: 'http://erp.example' }, create)
    expect([wrong.status, textOf(wrong)]).toEqual([422, expect.stringContaining('must be https')])
    expect(wrong.html).toContain('value="Lønnspartner"')
    const created = textOf(await send(create, entered, create))
    expect(created).toMatch(/client_id \S+ client_secret \S+/)
    const again = await send(create, { name: entered.name }, create)
    expect([again.status, textOf(again)]).toEqual([409, expect.stringContaining('already exists')])
    const partner = await requirePartner(gateway.context, 'Lønnspartner')
    expect(partner.callbackOrigins).toEqual(['https://erp.example', 'myerp:'])
    expect(await auditOf(partner.id)).toEqual(['partner created'])
  })

  it('grant permissions by agreement, and replace callback origins, unless that has been done meanwhile', async () => {
    const permitted = { permission: 'payrollBulk', to: 'on' }
    await administrator.open(page)
    for (const allowed of await Promise.all([0, 1].map(() => administrator.send(`${page}/permissions`, permitted)))) {
      expect([allowed.status, textOf(allowed)]).toEqual([200, expect.stringContaining('by agreement payroll-bulk')])
    }
    const late = await administrator.send(`${page}/permissions`, permitted)
    expect([late.status, textOf(late)]).toEqual([409, expect.stringContaining('as you want it already')])
    expect((await send(`${page}/permissions`, { permission: 'all', to: 'on' })).status).toBe(422)
    const origins = { seen: '', origins: 'https://a.example https://b.example' }
    expect(textOf(await send(`${page}/callback-origins`, origins))).toContain('https://a.example, https://b.example')
    const stale = await send(`${page}/callback-origins`, { ...origins, origins: 'https://c.example' })
    expect([stale.status, textOf(stale)]).toEqual([
      409,
      expect.stringContaining('changed to https://a.example https://b'),
    ])
    const nonsense = { seen: 'https://a.example https://b.example', origins: 'nonsense' }
    expect((await send(`${page}/callback-origins`, nonsense)).status).toBe(422)
    expect(await auditOf(own.id)).toEqual(['payrollBulk allowed', 'callback origins replaced'])
    const [replaced] = await sql(
      `select detail from audit_log where action = 'callback origins replaced' and subject_id = $1`,
      [own.id],
    )
    expect(replaced).toEqual({ detail: { origins: ['https://a.example', 'https://b.example'] } })
  })

  it('permit payrolls to credentials of that partner', async () => {
    const { clientId } = await createClient(gateway.context, 'test', own)
    const permitted = await send(`${page}/clients/${clientId}/payroll`, { to: 'on' })
    expect(textOf(permitted)).toMatch(new RegExp(`${clientId} enabled permitted`))
    expect((await send(`${page}/clients/${clientId}/payroll`, { to: 'on' })).status).toBe(409)
    expect((await send(`${page}/clients/demo-partner/payroll`, { to: 'on' })).status).toBe(404)
    expect(await auditOf(clientId)).toEqual(['payroll allowed'])
  })

  it('add a company, allow it to pay, and rename it', async () => {
    const add = `${page}/add-company`
    const entered = { country: 'NO', number: '988 077 917', name: 'Nordlys AS', informationOnly: 'yes' }
    const wrong = await send(add, { ...entered, number: '988077918' }, add)
    expect([wrong.status, textOf(wrong)]).toEqual([422, expect.stringContaining('The organisation number')])
    expect(wrong.html).toMatch(/value="Nordlys AS"[\s\S]*value="yes" checked/)
    expect((await send(add, { ...entered, country: 'DE' }, add)).status).toBe(422)
    await administrator.open(add)
    for (const added of await Promise.all([0, 1].map(() => administrator.send(add, entered)))) {
      expect([added.status, textOf(added)]).toEqual([200, expect.stringContaining('account information only')])
    }
    expect((await send(add, { ...entered, name: 'Sørlys AS' }, add)).status).toBe(409)
    const company = `${page}/companies/NO-988077917`
    expect(textOf(await send(`${company}/onboard`, {}, company))).toContain('Onboarding onboarded')
    expect((await send(`${company}/onboard`, {}, company)).status).toBe(409)
    const renamed = { seen: 'Nordlys AS', name: 'Nordlys Handel AS' }
    expect(titleOf(await send(`${company}/rename`, renamed, company))).toBe('Nordlys Handel AS')
    const stale = await send(`${company}/rename`, { ...renamed, name: 'Sørlys AS' }, company)
    expect([stale.status, textOf(stale)]).toEqual([409, expect.stringContaining('renamed to Nordlys Handel AS')])
    expect((await send(`${company}/rename`, { seen: 'Nordlys Handel AS', name: ' ' }, company)).status).toBe(422)
  })

  it('add agreements with banks, and end them once', async () => {
    const place = `/console/partners/${fileBank.partnerId}`
    const add = `${place}/add-agreement`
    const { bic, organisationNumber: company } = FILE_BANK
    const entered = { bank: bic, country: 'NO', company, number: 'CUSTOMER-9', accounts: FILE_BANK.debtor }
    const wrong = await send(add, { ...entered, accounts: '86011117940' }, add)
    expect([wrong.status, textOf(wrong)]).toEqual([422, expect.stringContaining('The account number 86011117940')])
    expect((await send(add, { ...entered, until: 'tomorrow' }, add)).status).toBe(422)
    await administrator.open(add)
    const clicks = [0, 1].map(async () => textOf(await administrator.send(add, entered)))
    const added = expect.stringContaining('CUSTOMER-9 ACCEPTED')
    expect(await Promise.all(clicks)).toEqual([added, added])
    const [newest, ...others] = await listAgreements(gateway.context, fileBank.partnerId)
    expect(others.filter(({ number }) => number === 'CUSTOMER-9')).toEqual([])
    const end = `${place}/agreements/${newest?.id}/end`
    expect(textOf(await send(end, {}, place))).toMatch(/CUSTOMER-9 REVOKED/)
    const late = await administrator.send(end)
    expect([late.status, textOf(late)]).toEqual([409, expect.stringContaining('had ended before')])
    expect((await send(`${page}/agreements/${newest?.id}/end`)).status).toBe(404)
    expect((await send(`${page}/agreements/nonsense/end`)).status).toBe(404)
  })

  it('disable a partner by its name, and act on it no more', async () => {
    const wrong = await send(`${page}/disable`, { name: 'Nordkontoret' })
    expect([wrong.status, textOf(wrong)]).toEqual([422, expect.stringContaining('enter the name Nordkontor')])
    const disabled = await send(`${page}/disable`, { name: 'Nordkontor' })
    expect(textOf(disabled)).toContain('State disabled')
    expect(disabled.html).not.toMatch(new RegExp(`action="${page}/`))
    const late = await administrator.send(`${page}/disable`, { name: 'Nordkontor' })
    expect([late.status, textOf(late)]).toEqual([409, expect.stringContaining('is already disabled')])
  })
})
