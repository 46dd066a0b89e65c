/** Tests how operators add and change companies, what the audit log records, and the errors for payments. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPartner } from '../auth/create-partner.ts'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { type FreshDatabase, freshDatabase } from '../testing/database/fresh-database.ts'
import { contextOf, programContext } from '../testing/gateway/test-context.ts'
import { addCompany } from './add-company.ts'
import { changeCompany, onboard, rename, setInternationalPayments, setSubscription } from './change-company.ts'
import type { CompanyNumber } from './company-store.ts'
import { getCompany, listCompaniesForOperator } from './list-companies.ts'
import { requireCompany, requirePaymentsAllowed } from './require-company.ts'

const ACTOR = 'operator Ingrid'
let fresh: FreshDatabase
let database: Database<unknown>
beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase({ connectionString: fresh.connectionString, applicationName: 'test', connectionsMax: 4 })
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

let context: ProgramContext
let nordlys: CompanyNumber
beforeEach(async () => {
  context = programContext(database)
  const { partner } = await createPartner(context, 'test', { name: newId() })
  nordlys = { partnerId: partner.id, countryCode: 'NO', organisationNumber: '987654325' }
})

const add = (more: Partial<Parameters<typeof addCompany>[2]> = {}) =>
  addCompany(context, ACTOR, { ...nordlys, name: 'Nordlys Handel AS', ...more })
const pay = () => requirePaymentsAllowed(contextOf({ database }), nordlys)
const be = () => requireCompany(contextOf({ database }), nordlys)
const actions = async () => (await getCompany(context, nordlys)).history.map(({ action }) => action)

describe('a company that is added', () => {
  test.each([
    ['NO', '987 654 325', '987654325'],
    ['NO', 'NO987654325MVA', '987654325'],
    ['SE', '559990-1005', '5599901005'],
    ['SE', 'SE559990100501', '5599901005'],
    ['DK', 'DK99001100', '99001100'],
    ['FI', '99001109', '9900110-9'],
  ])('may be entered as %s writes it, %s, and is stored as %s', async (countryCode, organisationNumber, stored) => {
    await add({ countryCode, organisationNumber })
    expect(await listCompaniesForOperator(context, nordlys.partnerId)).toMatchObject([
      {
        countryCode,
        organisationNumber: stored,
        onboarded: true,
        activeSubscription: true,
        internationalPayments: false,
      },
    ])
  })

  test.each([
    ['NO', '987654321', 'wrong check digit'],
    ['SE', '5599901006', 'wrong check digit'],
    ['SE', '987654325', 'is not ten digits'],
    ['DK', '99001101', 'wrong check digit'],
    ['FI', '9900110-8', 'wrong check digit'],
    ['IS', '5902697199', 'not served here'],
    ['constructor', '987654325', 'not served here'],
  ])('is rejected when its number is not a number of %s: %s', async (countryCode, organisationNumber, reason) => {
    await expect(add({ countryCode, organisationNumber })).rejects.toThrow(reason)
    expect(await listCompaniesForOperator(context, nordlys.partnerId)).toEqual([])
  })

  test.each(['', '  ', 'Nordlys\nHandel', 'Nordlys\u202eSA', 'x'.repeat(201)])(
    'is rejected with the name %j',
    async (name) => {
      await expect(add({ name })).rejects.toThrow('The name must be')
      await add()
      await expect(changeCompany(context, ACTOR, nordlys, rename('Nordlys AS'))).resolves.toMatchObject({
        changed: true,
      })
      expect(() => rename(name)).toThrow('The name must be')
    },
  )

  test('exists once, however often it is added', async () => {
    await add()
    await expect(add({ organisationNumber: '987 654 325' })).rejects.toThrow('already has the company NO 987654325')
    expect(await actions()).toEqual(['company added'])
  })
})

describe('payments for a company', () => {
  test('that the partner does not have: onboarding is missing', async () => {
    const neither = 'The company NO 987654325 is neither onboarded nor registered with you'
    await expect(pay()).rejects.toMatchObject({ reasonCode: 'forbidden', message: neither })
    await expect(be()).rejects.toMatchObject({ reasonCode: 'forbidden', message: neither })
  })

  test('that another partner has: rejected all the same', async () => {
    const { partner } = await createPartner(context, 'test', { name: newId() })
    await add({ partnerId: partner.id })
    await expect(pay()).rejects.toThrow('neither onboarded nor registered with you')
  })

  test('that is only registered: onboarding is missing; its accounts can be read; once onboarded, it pays', async () => {
    await add({ accountInformationOnly: true })
    await expect(pay()).rejects.toMatchObject({
      reasonCode: 'forbidden',
      message: 'Nordlys Handel AS is registered for account information only; payments need onboarding',
    })
    expect(await be()).toMatchObject({ services: ['AIS'], onboarded: false })
    await changeCompany(context, ACTOR, nordlys, onboard())
    await pay()
  })

  test('without a subscription: rejected until the subscription is active again', async () => {
    await add()
    await changeCompany(context, ACTOR, nordlys, setSubscription(false))
    const inactive = {
      reasonCode: 'INACTIVE_SUBSCRIPTION',
      message: 'The subscription of Nordlys Handel AS is not active',
    }
    await expect(pay()).rejects.toMatchObject(inactive)
    await expect(be()).rejects.toMatchObject(inactive)
    await changeCompany(context, ACTOR, nordlys, setSubscription(true))
    await pay()
  })

  test('that lacks both: both are named in the error', async () => {
    await add({ accountInformationOnly: true })
    await changeCompany(context, ACTOR, nordlys, setSubscription(false))
    await expect(pay()).rejects.toThrow('payments need onboarding and an active subscription')
  })
})

describe('a change', () => {
  test('is recorded in the audit log with who made it, the old and the new values', async () => {
    const { id } = await add()
    await changeCompany(context, ACTOR, nordlys, setSubscription(false))
    await changeCompany(context, ACTOR, nordlys, setInternationalPayments(true))
    await changeCompany(context, ACTOR, nordlys, rename(' Nordlys Gruppen AS '))
    const { company, history } = await getCompany(context, nordlys)
    expect(company).toMatchObject({
      id,
      name: 'Nordlys Gruppen AS',
      activeSubscription: false,
      internationalPayments: true,
    })
    expect(history.map(({ actor }) => actor)).toEqual(Array(4).fill(ACTOR))
    expect(history.slice(1).map(({ action, detail }) => [action, detail])).toEqual([
      ['subscription ended', { from: { activeSubscription: true }, to: { activeSubscription: false } }],
      [
        'international payments allowed',
        { from: { internationalPayments: false }, to: { internationalPayments: true } },
      ],
      ['company renamed', { from: { name: 'Nordlys Handel AS' }, to: { name: 'Nordlys Gruppen AS' } }],
    ])
  })

  test('that changes nothing writes nothing', async () => {
    await add()
    for (const same of [
      setSubscription(true),
      setInternationalPayments(false),
      onboard(),
      rename('Nordlys Handel AS'),
    ]) {
      expect(await changeCompany(context, ACTOR, nordlys, same)).toMatchObject({ changed: false })
    }
    expect(await actions()).toEqual(['company added'])
  })

  test('that is requested several times at once happens once', async () => {
    await add()
    const end = () => changeCompany(context, ACTOR, nordlys, setSubscription(false))
    const results = await Promise.all([end(), end(), end()])
    expect(results.filter(({ changed }) => changed)).toHaveLength(1)
    expect(await actions()).toEqual(['company added', 'subscription ended'])
  })

  test('affects the company of one partner only', async () => {
    await add()
    const { partner } = await createPartner(context, 'test', { name: newId() })
    const theirs = { ...nordlys, partnerId: partner.id }
    await add({ partnerId: partner.id })
    await changeCompany(context, ACTOR, theirs, setSubscription(false))
    expect((await getCompany(context, nordlys)).company.activeSubscription).toBe(true)
  })

  test('to an unknown company is rejected, with what to do', async () => {
    const there = '`havn company list` prints its companies'
    await expect(changeCompany(context, ACTOR, nordlys, onboard())).rejects.toThrow(there)
    await expect(getCompany(context, nordlys)).rejects.toThrow(there)
  })

  test('allows cross-border payments only to companies that may pay at all', async () => {
    await add({ accountInformationOnly: true })
    const allow = () => changeCompany(context, ACTOR, nordlys, setInternationalPayments(true))
    await expect(allow()).rejects.toThrow('onboard it first')
    await changeCompany(context, ACTOR, nordlys, onboard())
    expect((await allow()).company.internationalPayments).toBe(true)
  })
})
