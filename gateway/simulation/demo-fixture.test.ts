/** Tests that the sandbox starts complete, that older data folders are extended, and that nothing is undone. */

import { readFile } from 'node:fs/promises'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import sample from '../../data/company-registry-sample.json' with { type: 'json' }
import { loadDemoFixture } from '../../sandbox/bank/load-fixture.ts'
import { PARTNER_PERMISSIONS } from '../auth/client-permissions.ts'
import { listPartnersWithClients } from '../auth/list-partners.ts'
import { listDirectoryEntries } from '../banks/directory/bank-health.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../banks/directory/validate-bank-profile.ts'
import { changeCompany, rename, setSubscription } from '../companies/change-company.ts'
import { listCompaniesForOperator } from '../companies/list-companies.ts'
import { movableClock } from '../platform/clock.ts'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { type FreshDatabase, freshDatabase } from '../testing/database/fresh-database.ts'
import { contextOf, programContext } from '../testing/gateway/test-context.ts'
import { createDemoPartner, upsertSandboxBanks } from './demo-fixture.ts'

const ADDRESSES = { xs2aUrl: 'http://127.0.0.1:8101', pagesUrl: 'http://127.0.0.1:8081' }
const COMPANIES = ['DK 99001100', 'FI 9900110-9', 'NO 987654325', 'SE 5599901005']
const clock = movableClock()
let fresh: FreshDatabase
let database: Database<unknown>
let profiles: Awaited<ReturnType<typeof readBankProfiles>>
beforeAll(async () => {
  profiles = await readBankProfiles(BANK_PROFILES_FOLDER)
})
beforeEach(async () => {
  fresh = await freshDatabase()
  database = openDatabase({ connectionString: fresh.connectionString, applicationName: 'test', connectionsMax: 2 })
  return async () => {
    await database.close()
    await fresh.drop()
  }
})

const put = (addresses = ADDRESSES) => upsertSandboxBanks(contextOf({ database }), profiles, addresses)
const make = () => createDemoPartner(contextOf({ database, clock }))
const banks = async () => (await listDirectoryEntries(database, clock)).map(({ row }) => row)

async function demoCompanies() {
  const [demo] = await listPartnersWithClients(programContext(database))
  return await listCompaniesForOperator(programContext(database), demo?.partner.id ?? '')
}
const numbers = async () =>
  (await demoCompanies()).map(({ countryCode, organisationNumber }) => `${countryCode} ${organisationNumber}`).sort()

test('there are at least four banks each of Norway, Sweden and Denmark and three of Finland, each with its own dialect', async () => {
  await put()
  const rows = await banks()
  const count = (country: string) => rows.filter(({ country_code }) => country_code === country).length
  expect([count('NO'), count('SE'), count('DK'), count('FI')]).toEqual([5, 4, 4, 3])
  expect(new Set(rows.map(({ profile }) => profile)).size).toBe(16)
  expect(new Set(rows.map(({ address }) => address)).size).toBe(16)
  expect(rows).toContainEqual(
    expect.objectContaining({ bic: 'MALBSESS', name: 'Mälarbanken', address: 'http://127.0.0.1:8106/malarbanken' }),
  )
})

test('the sandbox bank has every bank of the directory, at its URL, and every company of the demo partner', async () => {
  await put()
  await make()
  const fixture = loadDemoFixture()
  expect((await banks()).map(({ bic, name, address }) => [bic, name, address]).toSorted()).toEqual(
    fixture.banks
      .map(({ bic, name, basePath }, index) => [bic, name, `http://127.0.0.1:${8101 + index}/${basePath}`])
      .toSorted(),
  )
  for (const { organisationNumber, name } of await demoCompanies()) {
    expect(fixture.companies).toContainEqual(expect.objectContaining({ organisationNumber, name }))
  }
})

test('each profile has an example user who exists at its bank, and who may pay for the company there', async () => {
  const { access } = loadDemoFixture()
  await put()
  await make()
  const companies = await demoCompanies()
  for (const { bic, country_code, profile } of await banks()) {
    const owner = companies.find(({ countryCode }) => countryCode === country_code)?.organisationNumber
    const userId = profiles.get(profile)?.userId.example
    expect(access).toContainEqual(
      expect.objectContaining({ bic, userId, owner, may: expect.arrayContaining(['view', 'pay']) }),
    )
  }
})

test('the README lists every bank, every demo company and one user each', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const [, section = ''] = /^## The sandbox\n(.+?)^## /ms.exec(readme) ?? []
  await make()
  const fixture = loadDemoFixture()
  const companies = (await demoCompanies()).map(({ name, organisationNumber }) => `${name}, ${organisationNumber}`)
  const owners = (await demoCompanies()).map(({ organisationNumber }) => organisationNumber)
  const users = fixture.access.filter(({ owner }) => owners.includes(owner)).map(({ userId }) => `\`${userId}\``)
  const words = [...companies, ...fixture.banks.map(({ name }) => name), ...users]
  expect(words.filter((word) => !section.includes(word))).toEqual([])
})

test('every bank’s profile has the country’s time zone', async () => {
  await put()
  const zones = { NO: 'Europe/Oslo', SE: 'Europe/Stockholm', DK: 'Europe/Copenhagen', FI: 'Europe/Helsinki' }
  const found = (await banks()).map(({ country_code, profile }) => [country_code, profiles.get(profile)?.timeZone])
  expect(found).toEqual(found.map(([country]) => [country, Object(zones)[country ?? '']]))
})

test('a start with other ports changes every bank’s URL and links', async () => {
  await put()
  await put({ xs2aUrl: 'http://127.0.0.1:9101', pagesUrl: 'http://127.0.0.1:9081' })
  const rows = await banks()
  expect(rows).toHaveLength(16)
  const ports = rows.map(({ address }) => Number(new URL(address).port)).toSorted()
  expect(ports).toEqual(rows.map((_row, index) => 9101 + index))
  expect(rows.map(({ link_hosts }) => link_hosts)).toEqual(
    rows.map(({ address }) => [new URL(address).host, '127.0.0.1:9081']),
  )
})

test('the demo partner has a company in every country, however often it is created', async () => {
  await make()
  await make()
  expect(await numbers()).toEqual(COMPANIES)
  expect(await listPartnersWithClients(programContext(database))).toHaveLength(1)
})

test('a data folder of a release with one company gets the others', async () => {
  await make()
  await database.pool.query("delete from companies where country_code <> 'NO'")
  await make()
  expect(await numbers()).toEqual(COMPANIES)
})

test('the demo partner has every permission, also one of an older data folder', async () => {
  const permissions = async () => {
    const [demo] = await listPartnersWithClients(programContext(database))
    const { partner, clients } = demo ?? expect.fail('There is no demo partner')
    return [...PARTNER_PERMISSIONS.map((flag) => partner[flag]), ...clients.map(({ payroll }) => payroll)]
  }
  await make()
  expect(await permissions()).toEqual([true, true, true])
  expect(new Set((await demoCompanies()).map((company) => company.internationalPayments))).toEqual(new Set([true]))
  await database.pool.query('update partners set ais_registration = false, payroll_bulk = false')
  await make()
  expect(await permissions()).toEqual([true, true, true])
})

test('every company that can be accepted has at each bank of its country a user who pays, and an account', async () => {
  await put()
  const fixture = loadDemoFixture()
  const people = new Map(sample.people.map(({ id, given, family }) => [id, `${given} ${family}`]))
  await make()
  const present = await numbers()
  const acceptable = sample.companies.filter(
    ({ countryCode, organisationNumber, script }) =>
      script.status !== 'Rejected' && !present.includes(`${countryCode} ${organisationNumber}`),
  )
  expect(acceptable.length).toBeGreaterThan(15)
  for (const { countryCode, organisationNumber, roles } of acceptable) {
    const names = roles.map(({ person }) => people.get(person))
    for (const { bic, profile } of (await banks()).filter(({ country_code }) => country_code === countryCode)) {
      const rights = fixture.access.filter((row) => row.bic === bic && row.owner === organisationNumber)
      const { pattern = '' } = profiles.get(profile)?.userId ?? {}
      const payers = rights
        .filter(({ userId, may }) => may.includes('pay') && new RegExp(pattern).test(userId))
        .map(({ userId }) => fixture.users.find(({ id }) => id === userId)?.name)
      expect({ bic, organisationNumber, names }).toEqual({
        bic,
        organisationNumber,
        names: expect.arrayContaining([payers[0]]),
      })
      expect(fixture.accounts).toContainEqual(
        expect.objectContaining({ bic, owner: organisationNumber, payable: true }),
      )
    }
  }
})

test('an operator’s changes to a company stay', async () => {
  await make()
  const [nordlys] = (await demoCompanies()).filter(({ countryCode }) => countryCode === 'NO')
  if (nordlys === undefined) {
    throw new Error('There is no company of Norway')
  }
  await changeCompany(programContext(database), 'operator Ingrid', nordlys, setSubscription(false))
  await changeCompany(programContext(database), 'operator Ingrid', nordlys, rename('Nordlys Gruppen AS'))
  await make()
  expect(await demoCompanies()).toContainEqual({ ...nordlys, name: 'Nordlys Gruppen AS', activeSubscription: false })
  expect(await numbers()).toEqual(COMPANIES)
})
